package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.adapter.Outcome;
import io.hapax.mark.MarkState;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyContext;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An orderly listener, and queues that are taken from it, on a real broker. */
@Timeout(180)
class OrderlyListenerTest extends WithConsumers {

  @ParameterizedTest
  @EnumSource(names = {"ORDERLY", "PULL"})
  void a_queue_keeps_its_order_through_failures_and_others_continue(Way way) throws Exception {
    createTopic(2);
    sendTo(0, "a0", "a1", "a2", "a3");
    sendTo(1, "b0", "b1", "b2");

    start(way, store, delivery -> {
      if (body(delivery.message()).equals("a1") && delivery.attempt() < 3) {
        throw new IllegalStateException("no such item");
      }
      record(delivery);
    });

    await().until(() -> effects.size() >= 7);
    assertThat(effects)
        .hasSize(7)
        .containsSubsequence("a0", "a1", "a2", "a3")
        .containsSubsequence("b0", "b1", "b2");
    assertThat(mark("a1").claim().attempt().number()).isEqualTo(3);
  }

  @Test
  void one_line_wraps_a_listener_and_a_batch_with_duplicates_keeps_its_order() throws Exception {
    createTopic(1);
    sendTo(0, "a", "b", "a", "c", "b", "d");
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeMessageBatchMaxSize(8);
    consumer.registerMessageListener(open(IdempotentOrderlyListener.wrap(
        consumer, store, (messages, context) -> {
          messages.forEach(message -> effects.add(body(message)));
          return ConsumeOrderlyStatus.SUCCESS;
        })));
    start(consumer);

    await().until(() -> isDone("d"));
    assertThat(effects).containsExactly("a", "b", "c", "d");
  }

  @Test
  void a_busy_message_holds_its_queue_for_the_lease_and_costs_no_attempt() throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("a", Duration.ofSeconds(1));
    sendTo(0, "a", "b");
    List<Integer> attempts = new CopyOnWriteArrayList<>();

    start(Way.ORDERLY, store, delivery -> {
      attempts.add(delivery.attempt());
      record(delivery);
    });

    await().until(() -> deferred(Outcome.Reason.BUSY) >= 2);
    assertThat(effects).isEmpty();
    runClock(Duration.ZERO);

    await().until(() -> effects.size() == 2);
    assertThat(effects).containsExactly("a", "b");
    assertThat(attempts).containsExactly(1, 1);
  }

  @Test
  void a_listener_reads_the_number_of_its_attempts_and_not_that_of_pauses() throws Exception {
    createTopic(1);
    stopClock();
    claimedByAnother("a", Duration.ofSeconds(1));
    sendTo(0, "a");
    List<Integer> seenByListener = new CopyOnWriteArrayList<>();
    List<Integer> seenByHandler = new CopyOnWriteArrayList<>();
    MessageHandler<MessageExt> listener = IdempotentOrderlyListener.handler((messages, context) -> {
      seenByListener.add(messages.get(0).getReconsumeTimes());
      return seenByListener.size() < 3
          ? ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT
          : ConsumeOrderlyStatus.SUCCESS;
    });
    start(Way.ORDERLY, store, delivery -> {
      seenByHandler.add(delivery.message().getReconsumeTimes());
      listener.handle(delivery);
    });

    await().until(() -> deferred(Outcome.Reason.BUSY) >= 4);
    runClock(Duration.ZERO);

    await().until(() -> isDone("a"));
    assertThat(seenByListener).containsExactly(0, 1, 2);
    assertThat(seenByHandler).containsExactly(0, 1, 2);
  }

  @Test
  void a_busy_message_pauses_its_queue_within_the_client_limit() throws Exception {
    createTopic(1);
    IdempotentOrderlyListener listener = startInOrder(consumer());
    claimedByAnother("long", Duration.ofSeconds(40));
    claimedByAnother("short", Duration.ofSeconds(20));

    assertThat(pause(listener, "long")).isEqualTo(30_000);
    assertThat(pause(listener, "short")).isBetween(5_000L, 20_000L);
  }

  private long pause(IdempotentOrderlyListener listener, String key) {
    ConsumeOrderlyContext context = new ConsumeOrderlyContext(queue());
    assertThat(listener.consumeMessage(List.of(delivered(key)), context))
        .isEqualTo(ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT);
    return context.getSuspendCurrentQueueTimeMillis();
  }

  @ParameterizedTest
  @EnumSource(names = {"ORDERLY", "PULL"})
  void a_finally_failed_message_is_dead_lettered_and_its_queue_continues(Way way) throws Exception {
    createTopic(1);
    sendTo(0, "poison", "next");

    start(way, store, delivery -> {
      if (body(delivery.message()).equals("poison")) {
        throw new IllegalStateException("no such item");
      }
      record(delivery);
    });

    await().until(() -> effects.contains("next") && count(Outcome.DeadLettered.class) == 1);
    assertThat(mark("poison").state()).isEqualTo(MarkState.DEAD);
    assertThat(read("%DLQ%" + group, 1)).extracting(WithConsumers::body).containsExactly("poison");
  }

  /** Why the JVM of an orderly consumer does not end by itself, as docs/rocketmq.md says. */
  @Test
  @SuppressWarnings("deprecation") // announced to go since 2020, and still the only way
  void a_client_thread_survives_shutdown_and_keeps_the_jvm_alive() throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    startInOrder(consumer);
    Object pop = inside(consumer.getDefaultMQPushConsumerImpl(), "consumeMessagePopService");
    ScheduledExecutorService scheduler =
        (ScheduledExecutorService) inside(pop, "scheduledExecutorService");

    consumer.shutdown();

    try {
      assertThat(scheduler.isShutdown()).isFalse();
      Thread thread = scheduler.submit(Thread::currentThread).get(60, TimeUnit.SECONDS);
      assertThat(thread.getName()).startsWith("ConsumeMessageScheduledThread_");
      assertThat(thread.isDaemon()).isFalse();
      assertThat(thread.isAlive()).isTrue();
    } finally {
      scheduler.shutdownNow();
    }
  }

  private static Object inside(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  @Test
  void a_queue_that_returns_during_a_handler_continues_after_it() throws Exception {
    createTopic(1);
    sendTo(0, "a", "b");
    DefaultMQPushConsumer consumer = consumer();
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer).leased(store, this::hold));
    open(RocketMqReceiver.builder(receiver, consumer).orderly().start());
    awaitRunning();

    // The client drops a queue that another member gets, and its wait for the message fails.
    ProcessQueue held = Objects.requireNonNull(table(consumer).get(queue()));
    held.setDropped(true);
    held.incTryUnlockTimes();
    goOn.countDown();

    // Left to itself the client takes the queue up again two minutes after its last pull.
    await().until(() -> effects.size() >= 2);
    assertThat(effects).containsExactly("a", "b");
  }

  /**
   * A reset of the group's offset drops its queues, and sets those that it finds afterwards; while
   * it does so the consumer rests. An operator may have an old message of a queue consumed once
   * more, on another thread than the one that consumes the queue.
   */
  @ParameterizedTest(name = "failed tries {0}, by its own thread {1}, resting {2}")
  @CsvSource({"false, true, false", "true, false, false", "true, true, true"})
  void a_queue_that_may_still_be_used_or_looked_for_stays_where_it_is(
      boolean triedInVain, boolean byItsOwnThread, boolean resting) throws Exception {
    createTopic(1);
    DefaultMQPushConsumer consumer = consumer();
    IdempotentOrderlyListener listener = startInOrder(consumer);
    ProcessQueue held = await().until(() -> table(consumer).get(queue()), Objects::nonNull);

    held.setDropped(true);
    if (triedInVain) {
      held.incTryUnlockTimes();
    }
    if (byItsOwnThread) {
      held.getConsumeLock().readLock().lock();
    }
    if (resting) {
      consumer.suspend();
    }
    listener.consumeMessage(List.of(delivered("a")), new ConsumeOrderlyContext(queue()));

    assertThat(table(consumer).get(queue())).isSameAs(held);
  }

  @SuppressWarnings("deprecation") // announced to go, and the only way to see it
  private static ConcurrentMap<MessageQueue, ProcessQueue> table(DefaultMQPushConsumer consumer) {
    return consumer.getDefaultMQPushConsumerImpl().getRebalanceImpl().getProcessQueueTable();
  }
}
