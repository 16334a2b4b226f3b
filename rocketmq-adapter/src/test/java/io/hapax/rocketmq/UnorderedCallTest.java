package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a message that is redelivered, busy or slow affects the other messages of its call. */
@Timeout(120)
@Order(5) // of the longest, so that it does not begin last
class UnorderedCallTest extends WithConsumers {

  /** The broker's default limit of redeliveries: the next one goes to its dead letters. */
  private static final int OF_THE_BROKER = 16;

  /** Long enough for a first handler to start on a loaded machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Test
  void messages_behind_a_failed_one_are_done_and_not_redelivered() throws Exception {
    createTopic(1);
    send("a", "bad", "b", "bad", "c");
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(5);
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer)
        .retry(new RetrySettings(4, Duration.ofMillis(50), Duration.ofMillis(50)))
        .leased(store, delivery -> {
          if (body(delivery.message()).equals("bad")) {
            throw new IllegalStateException("no stock");
          }
          record(delivery);
        }));
    AtomicInteger most = new AtomicInteger();
    IdempotentConcurrentListener listener =
        open(IdempotentConcurrentListener.of(consumer, receiver));
    start(consumer, (messages, context) -> {
      most.accumulateAndGet(messages.size(), Math::max);
      return listener.consumeMessage(messages, context);
    });

    await().until(() -> count(Outcome.DeadLettered.class) == 2);
    assertThat(most).hasValue(5);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(count(Outcome.Duplicate.class)).isZero();
    assertThat(deferred(Outcome.Reason.BLOCKED)).isLessThanOrEqualTo(4); // the second of the two
  }

  @Test
  void a_busy_message_inside_a_call_returns_after_its_lease() throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("busy", Duration.ofSeconds(3));
    send("a", "busy", "b");
    List<Long> copies = new CopyOnWriteArrayList<>();
    AtomicLong handedOver = new AtomicLong();
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(3);
    IdempotentConcurrentListener listener = listener(consumer, this::record);
    start(consumer, (messages, context) -> {
      handedOver.compareAndSet(0, System.currentTimeMillis());
      messages.stream()
          .filter(message -> message.getReconsumeTimes() > 0)
          .forEach(message -> copies.add(message.getStoreTimestamp()));
      return listener.consumeMessage(messages, context);
    });

    await().until(() -> !copies.isEmpty());
    assertThat(copies.get(0) - handedOver.get()).isGreaterThanOrEqualTo(3_000); // 1 s by default
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void nothing_is_sent_back_of_a_queue_that_the_consumer_has_lost_meanwhile() throws Exception {
    createTopic(1);
    send("a", "bad", "b");
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(3);
    IdempotentConcurrentListener listener = listener(consumer, delivery -> {
      if (body(delivery.message()).equals("bad")) {
        ClientInternals.giveUp(consumer, queue());
        throw new IllegalStateException("no stock");
      }
      record(delivery);
    });
    CountDownLatch answered = new CountDownLatch(1);
    start(consumer, (messages, context) -> {
      ConsumeConcurrentlyStatus status = listener.consumeMessage(messages, context);
      answered.countDown();
      return status;
    });

    assertThat(answered.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
    Message marker = message("marker", "marker");
    marker.setDelayTimeLevel(1);
    send(marker); // it waits in the broker behind whatever was sent back before it
    await().until(() -> end(consumer, queue()) == 4);
    assertThat(end(consumer, new MessageQueue("%RETRY%" + group, "local", 0))).isZero();
  }

  private static long end(DefaultMQPushConsumer consumer, MessageQueue queue) throws Exception {
    return new ClientInternals(consumer).api().getMaxOffset(broker(), queue, 10_000);
  }

  @Test
  void a_message_may_take_half_of_the_consume_timeout_to_start() throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeTimeout(3);

    assertThat(PushConsumerSettings.patience(consumer)).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void messages_not_started_in_time_are_deferred_while_a_handler_runs() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    startInOrder(consumer); // so that its brokers can be asked
    CountDownLatch othersDeferred = new CountDownLatch(31);
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer)
        .workers(1)
        .listener(new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            othersDeferred.countDown();
          }
        })
        .leased(store, delivery -> {
          effects.add(body(delivery.message()));
          assertThat(othersDeferred.await(60, TimeUnit.SECONDS)).isTrue();
        }));
    ListenerDispatcher dispatcher =
        new ListenerDispatcher(consumer, receiver, false, Optional.empty(), PATIENCE);
    List<MessageExt> call =
        IntStream.range(0, 32).mapToObj(i -> delivered("m" + i)).toList();

    assertThat(dispatcher.take(call, queue())).isPresent();
    assertThat(effects).hasSize(1);
    assertThat(count(Outcome.Executed.class)).isOne();
    assertThat(deferred(Outcome.Reason.ABANDONED)).isEqualTo(31);
    assertThat(IntStream.range(0, 32).map(i -> attempts("m" + i)).sum()).isOne();
  }

  private int attempts(String key) {
    return store
        .find(List.of(MessageKey.of(group, topic + '/' + key)))
        .get(0)
        .map(mark -> mark.claim().attempt().number())
        .orElse(0);
  }

  @Test
  void a_message_may_be_busy_more_often_than_the_default_reconsume_limit() throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("a", Duration.ofSeconds(1)); // the shortest delay of this broker
    send("a");
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    List<Integer> reconsumed = new CopyOnWriteArrayList<>();
    List<Integer> seenByListener = new CopyOnWriteArrayList<>();
    MessageHandler<MessageExt> listener =
        IdempotentConcurrentListener.handler((messages, context) -> {
          seenByListener.add(messages.get(0).getReconsumeTimes());
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
    receive(delivery -> {
      attempts.add(delivery.attempt());
      reconsumed.add(delivery.message().getReconsumeTimes());
      listener.handle(delivery);
    });

    await().until(() -> deferred(Outcome.Reason.BUSY) > OF_THE_BROKER + 1);
    runClock(Duration.ZERO); // that lease has expired

    await().until(() -> isDone("a"));
    assertThat(attempts).containsExactly(1);
    assertThat(mark("a").claim().attempt().number()).isEqualTo(1);
    assertThat(reconsumed).allMatch(times -> times > OF_THE_BROKER);
    assertThat(seenByListener).as("a listener may give up after a few attempts").containsExactly(0);
    assertThat(deadLetters()).isZero();
  }

  private long deadLetters() throws Exception {
    MessageQueue queue = new MessageQueue("%DLQ%" + group, "local", 0);
    return operator().api().getMaxOffset(broker(), queue, 10_000);
  }
}
