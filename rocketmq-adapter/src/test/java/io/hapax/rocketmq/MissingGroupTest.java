package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.health.Problem;
import io.hapax.servers.LocalRocketMq;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Consumers of a group that does not exist, on a broker that creates no group by itself. */
@Timeout(120)
class MissingGroupTest extends WithConsumers {

  private static final LocalRocketMq STRICT =
      LocalRocketMq.builder().setting("autoCreateSubscriptionGroup", "false").start();

  private static <C extends ClientConfig> C strict(C client) {
    client(client).setNamesrvAddr(STRICT.nameServer());
    return client;
  }

  private DefaultMQPushConsumer pushed() throws MQClientException {
    STRICT.createTopic(topic, 1);
    DefaultMQPushConsumer consumer = strict(new DefaultMQPushConsumer(group));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, ALL);
    return consumer;
  }

  private DefaultLitePullConsumer pulled() {
    STRICT.createTopic(topic, 1);
    DefaultLitePullConsumer consumer = strict(new DefaultLitePullConsumer(group));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setAutoCommit(false);
    return consumer;
  }

  private IdempotentReceiver<MessageExt> receiver(RocketMqDeadLetterPublisher deadLetters) {
    return open(
        builder(deadLetters).leased(store, delivery -> effects.add(body(delivery.message()))));
  }

  private void createGroup() {
    STRICT.createGroup(group);
  }

  private void sendStrict(String text) throws Exception {
    DefaultMQProducer producer = strict(new DefaultMQProducer("strict-senders"));
    producer.setSendMsgTimeout(20_000);
    producer.start();
    try {
      producer.send(new Message(topic, "", text, text.getBytes(StandardCharsets.UTF_8)));
    } finally {
      producer.shutdown();
    }
  }

  private String text() {
    return "group " + group + " does not exist on broker " + STRICT.broker();
  }

  @Test
  void no_push_receiver_starts_without_its_group() throws Exception {
    for (boolean inOrder : List.of(false, true)) {
      DefaultMQPushConsumer consumer = pushed();
      RocketMqReceiver.Builder builder =
          RocketMqReceiver.builder(receiver(RocketMqDeadLetterPublisher.of(consumer)), consumer);

      assertThatThrownBy(() -> (inOrder ? builder.orderly() : builder).start())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(text())
          .hasMessageContaining("updateSubGroup");
    }
  }

  @Test
  void no_pull_receiver_starts_without_its_group() {
    DefaultLitePullConsumer consumer = pulled();
    RocketMqPullReceiver.Builder builder = RocketMqPullReceiver.builder(
            receiver(RocketMqDeadLetterPublisher.of(consumer)), consumer)
        .subscribe(topic, ALL);

    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text());
  }

  @Test
  void a_wrapped_listener_reports_the_missing_group_until_it_exists() throws Exception {
    DefaultMQPushConsumer consumer = pushed();
    IdempotentConcurrentListener listener =
        open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
          messages.forEach(message -> effects.add(body(message)));
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        }));
    consumer.registerMessageListener(listener);
    start(consumer);
    sendStrict("a");

    await().atMost(BOUND).until(() -> !listener.problems().isEmpty());
    assertThat(listener.problems()).singleElement().satisfies(problem -> {
      assertThat(problem.kind()).isEqualTo(Problem.Kind.CONFIGURATION);
      assertThat(problem.subject()).isEqualTo(STRICT.broker());
      assertThat(problem.text()).contains(text());
    });

    createGroup();
    await().atMost(BOUND).until(() -> listener.problems().isEmpty());
    await().atMost(BOUND).until(() -> effects.contains("a"));
  }

  @Test
  void so_does_one_that_keeps_the_order() throws Exception {
    DefaultMQPushConsumer consumer = pushed();
    IdempotentOrderlyListener listener = open(IdempotentOrderlyListener.wrap(
        consumer, store, (messages, context) -> ConsumeOrderlyStatus.SUCCESS));
    consumer.registerMessageListener(listener);
    start(consumer);

    await().atMost(BOUND).until(() -> listener.problems().toString().contains(text()));
  }
}
