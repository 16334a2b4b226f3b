package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("nightly")
@Timeout(60)
class LocalRocketMqTest {

  private static final int REPLICAS_PORT = Loopback.freePort();

  private static LocalRocketMq rocketMq;

  @BeforeAll
  static void start() {
    rocketMq = LocalRocketMq.builder()
        .setting("haListenPort", Integer.toString(REPLICAS_PORT))
        .start();
  }

  @AfterAll
  static void close() {
    rocketMq.close();
  }

  @Test
  void a_client_with_short_intervals_gets_a_failed_message_within_seconds() throws Exception {
    rocketMq.createTopic("retried", 1);
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    DefaultMQPushConsumer consumer = RocketMqClients.quickConsumer(rocketMq, "retriers");
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe("retried", "*");
    consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
      messages.forEach(message -> seen.add(
          new String(message.getBody(), StandardCharsets.UTF_8) + message.getReconsumeTimes()));
      return messages.get(0).getReconsumeTimes() < 2
          ? ConsumeConcurrentlyStatus.RECONSUME_LATER
          : ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    });
    consumer.start();
    try {
      RocketMqClients.send(rocketMq, "retried", "a");

      assertThat(List.of(next(seen), next(seen), next(seen))).containsExactly("a0", "a1", "a2");
    } finally {
      consumer.shutdown();
    }
  }

  @Test
  void a_topic_is_created_with_its_queues_and_can_get_more_of_them() {
    rocketMq.createTopic("grown", 1);
    rocketMq.createTopic("grown", 3);

    assertThatThrownBy(() -> rocketMq.createTopic("no topic", 1))
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("no topic");
  }

  @Test
  void waits_for_no_replicas_because_it_would_do_so_on_every_network() {
    assertThatThrownBy(() -> Loopback.connect(REPLICAS_PORT)).isInstanceOf(ConnectException.class);
  }

  private static String next(BlockingQueue<String> seen) throws InterruptedException {
    return String.valueOf(seen.poll(30, TimeUnit.SECONDS));
  }
}
