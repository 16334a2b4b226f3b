package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hapax.health.Problem;
import io.hapax.servers.LocalRocketMq;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
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
    return fromBeginning(strict(new DefaultMQPushConsumer(group)));
  }

  private String text() {
    return "group " + group + " does not exist on broker " + STRICT.broker();
  }

  @Test
  void no_push_receiver_starts_without_its_group() throws Exception {
    for (boolean inOrder : List.of(false, true)) {
      DefaultMQPushConsumer consumer = pushed();
      RocketMqReceiver.Builder builder =
          RocketMqReceiver.builder(open(builder(consumer).leased(store, this::record)), consumer);

      assertThatThrownBy(() -> (inOrder ? builder.orderly() : builder).start())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(text())
          .hasMessageContaining("updateSubGroup");
    }
  }

  @Test
  void no_pull_receiver_starts_without_its_group() {
    STRICT.createTopic(topic, 1);
    RocketMqPullReceiver.Builder builder = pulling(
            fromBeginning(strict(new DefaultLitePullConsumer(group))), this::record)
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
    start(consumer, listener);
    sendBy(strict(new DefaultMQProducer("strict-senders")), message("a", "a"));

    await().atMost(BOUND).until(() -> !listener.problems().isEmpty());
    assertThat(listener.problems()).singleElement().satisfies(problem -> {
      assertThat(problem.kind()).isEqualTo(Problem.Kind.CONFIGURATION);
      assertThat(problem.subject()).isEqualTo(STRICT.broker());
      assertThat(problem.text()).contains(text());
    });

    STRICT.createGroup(group);
    await().atMost(BOUND).until(() -> listener.problems().isEmpty());
    await().atMost(BOUND).until(() -> effects.contains("a"));
  }

  @Test
  void so_does_one_that_keeps_the_order() throws Exception {
    IdempotentOrderlyListener listener = startInOrder(pushed());

    await().atMost(BOUND).until(() -> listener.problems().toString().contains(text()));
  }
}
