package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.servers.LocalRocketMq;
import io.hapax.store.InMemoryDedupStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the README's example for RocketMQ as shown: each order is sent twice. */
@Timeout(120)
class ReadmeRocketMqTest {

  private static final Duration BOUND = Duration.ofSeconds(60);

  @Test
  void the_example_around_a_listener_of_ones_own_charges_each_order_once() throws Exception {
    ReadmeRocketMq example = new ReadmeRocketMq();
    CountDownLatch stop = new CountDownLatch(1);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (LocalRocketMq rocketMq = LocalRocketMq.start()) {
      rocketMq.createTopic("orders", 1);
      send(rocketMq, List.of("a", "b", "a", "b", "c"));
      DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("billing");
      consumer.setNamesrvAddr(rocketMq.nameServer());
      consumer.setHeartbeatBrokerInterval(1_000); // this broker expires a silent client soon
      consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
      consumer.subscribe("orders", "*");

      Future<?> running = thread.submit(() -> {
        example.run(consumer, new InMemoryDedupStore(), stop);
        return stop;
      });
      await().atMost(BOUND).until(() -> example.charged().contains("c"));
      stop.countDown();
      running.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    } finally {
      thread.shutdownNow();
    }

    assertThat(example.charged()).containsExactlyInAnyOrder("a", "b", "c");
  }

  private static void send(LocalRocketMq rocketMq, List<String> orders) throws Exception {
    DefaultMQProducer producer = new DefaultMQProducer("shop");
    producer.setNamesrvAddr(rocketMq.nameServer());
    producer.setSendMsgTimeout(20_000);
    producer.start();
    try {
      for (String order : orders) {
        producer.send(new Message("orders", "", order, order.getBytes(StandardCharsets.UTF_8)));
      }
    } finally {
      producer.shutdown();
    }
  }
}
