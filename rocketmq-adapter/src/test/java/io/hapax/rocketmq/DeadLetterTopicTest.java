package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.health.Problem;
import io.hapax.mark.MarkState;
import io.hapax.servers.LocalRocketMq;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Consumers whose topic for dead letters, or whose group, does not exist. */
@Timeout(180)
class DeadLetterTopicTest extends WithConsumers {

  private static final LocalRocketMq STRICT =
      LocalRocketMq.builder().setting("autoCreateSubscriptionGroup", "false").start();

  /** No broker makes a topic of that name. */
  private static final String FORBIDDEN = "no such!topic";

  private final String graves = "graves-" + number;

  /** A user who may not make topics. */
  private static final class MayNotCreate implements RPCHook {

    private static final int UNKNOWN = 9_999;

    @Override
    public void doBeforeRequest(String address, RemotingCommand request) {
      if (request.getCode() == RequestCode.UPDATE_AND_CREATE_TOPIC) {
        request.setCode(UNKNOWN); // which the broker refuses
      }
    }

    @Override
    public void doAfterResponse(
        String address, RemotingCommand request, RemotingCommand response) {}
  }

  private static boolean exists(String topic) throws Exception {
    return operator().knows(topic);
  }

  @Test
  void the_dead_letter_topic_exists_before_a_message_is_taken() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    IdempotentReceiver<MessageExt> receiver =
        open(builder(RocketMqDeadLetterPublisher.to(graves, consumer)).leased(store, delivery -> {
          throw new RejectedMessageException("no such item");
        }));

    open(RocketMqReceiver.start(receiver, consumer));

    await().until(() -> exists(graves));
    send("poison");
    await().until(() -> count(Outcome.DeadLettered.class) == 1);
    assertThat(read(graves, 1)).extracting(WithConsumers::body).containsExactly("poison");
  }

  @Test
  void so_it_is_for_a_consumer_that_pulls() throws Exception {
    createTopic(1);
    DefaultLitePullConsumer consumer = pullConsumer(group);
    open(RocketMqPullReceiver.builder(
            open(builder(RocketMqDeadLetterPublisher.to(graves, consumer))
                .leased(store, this::record)),
            consumer)
        .subscribe(topic, ALL)
        .start());

    await().until(() -> exists(graves));
  }

  @Test
  void a_message_is_not_dead_lettered_to_the_topic_that_it_came_from() throws Exception {
    createTopic(1);
    send("nameless");
    DefaultLitePullConsumer consumer = pullConsumer(group);
    RocketMqPullReceiver receiver = open(RocketMqPullReceiver.builder(
            open(builder(RocketMqDeadLetterPublisher.to(topic, consumer))
                .id(message -> Optional.empty())
                .leased(store, this::record)),
            consumer)
        .subscribe(topic, ALL)
        .start());

    await()
        .untilAsserted(
            () -> assertThat(receiver.problems().toString()).contains("must be another topic"));
    assertThat(operator().api().getMaxOffset(broker(), queue(), 10_000)).isEqualTo(1);
  }

  @Test
  void the_start_is_refused_if_the_dead_letter_topic_cannot_be_created() throws Exception {
    createTopic(1);
    send("a");
    DefaultMQPushConsumer pushed = consumer();
    DefaultLitePullConsumer pulled = pullConsumer(group);
    String reason =
        "dead-letter topic '" + FORBIDDEN + "' does not exist and cannot be created: create it";

    assertThatThrownBy(() -> RocketMqReceiver.builder(
                open(builder(delivery -> {}).leased(store, this::record)), pushed)
            .deadLetters(RocketMqDeadLetterPublisher.to(FORBIDDEN, pushed))
            .start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(reason);
    assertThatThrownBy(() -> RocketMqPullReceiver.builder(
                open(builder(RocketMqDeadLetterPublisher.to(FORBIDDEN, pulled))
                    .leased(store, this::record)),
                pulled)
            .subscribe(topic, ALL)
            .start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(reason);

    assertThat(ClientInternals.isRunning(pushed)).isFalse();
    assertThat(pulled.isRunning()).isFalse();
  }

  @Test
  void a_wrapped_listener_reports_a_missing_dead_letter_topic() throws Exception {
    createTopic(1);
    send("fine");
    AtomicInteger deliveries = new AtomicInteger();
    DefaultMQPushConsumer consumer =
        fromBeginning(client(new DefaultMQPushConsumer(group, new MayNotCreate())));
    IdempotentConcurrentListener listener =
        open(IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
          if (body(messages.get(0)).equals("poison")) {
            throw new RejectedMessageException("no such item");
          }
          effects.add(body(messages.get(0)));
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        }));
    start(consumer, (messages, context) -> {
      if (body(messages.get(0)).equals("poison")) {
        deliveries.incrementAndGet();
      }
      return listener.consumeMessage(messages, context);
    });
    String reason = "dead-letter topic '%DLQ%" + group + "' does not exist";
    await().until(() -> effects.contains("fine"));
    assertThat(listener.problems())
        .singleElement()
        .extracting(Problem::text, STRING)
        .startsWith(reason);

    send("poison");
    await()
        .untilAsserted(() -> assertThat(listener.problems())
            .extracting(Problem::kind)
            .containsExactly(Problem.Kind.DEAD_LETTERS, Problem.Kind.MESSAGE_BLOCKED));
    await().until(() -> deliveries.get() > 1);
    assertThat(mark("poison").state()).isNotEqualTo(MarkState.DEAD);

    createTopic("%DLQ%" + group, 1);

    assertThat(read("%DLQ%" + group, 1)).extracting(WithConsumers::body).containsExactly("poison");
    await().until(() -> mark("poison").state() == MarkState.DEAD);
    await().until(() -> listener.problems().isEmpty());
  }

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

    await().until(() -> !listener.problems().isEmpty());
    assertThat(listener.problems()).singleElement().satisfies(problem -> {
      assertThat(problem.kind()).isEqualTo(Problem.Kind.CONFIGURATION);
      assertThat(problem.subject()).isEqualTo(STRICT.broker());
      assertThat(problem.text()).contains(text());
    });

    STRICT.createGroup(group);
    await().until(() -> listener.problems().isEmpty());
    await().until(() -> effects.contains("a"));
  }

  @Test
  void so_does_one_that_keeps_the_order() throws Exception {
    IdempotentOrderlyListener listener = startInOrder(pushed());

    await().until(() -> listener.problems().toString().contains(text()));
  }
}
