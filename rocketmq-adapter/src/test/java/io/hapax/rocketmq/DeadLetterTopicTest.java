package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.health.Problem;
import io.hapax.mark.MarkState;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether there is a topic for dead letters, and what becomes of a consumer without. */
@Timeout(180)
class DeadLetterTopicTest extends WithConsumers {

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

    await().atMost(BOUND).until(() -> exists(graves));
    send("poison");
    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 1);
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

    await().atMost(BOUND).until(() -> exists(graves));
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
    await().atMost(BOUND).until(() -> effects.contains("fine"));
    assertThat(listener.problems())
        .singleElement()
        .extracting(Problem::text, STRING)
        .startsWith(reason);

    send("poison");
    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(listener.problems())
            .extracting(Problem::kind)
            .containsExactly(Problem.Kind.DEAD_LETTERS, Problem.Kind.MESSAGE_BLOCKED));
    await().atMost(BOUND).until(() -> deliveries.get() > 1);
    assertThat(mark("poison").state()).isNotEqualTo(MarkState.DEAD);

    createTopic("%DLQ%" + group, 1);

    assertThat(read("%DLQ%" + group, 1)).extracting(WithConsumers::body).containsExactly("poison");
    await().atMost(BOUND).until(() -> mark("poison").state() == MarkState.DEAD);
    await().atMost(BOUND).until(() -> listener.problems().isEmpty());
  }
}
