package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.LeaseSettings;
import io.hapax.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listener with the usual loop, which stops at the first message that fails. */
@Timeout(120)
class LoopListenerTest extends WithConsumers {

  private static final String[] TEN = {"a", "b", "c", "d", "never", "e", "once", "f", "g", "h"};

  private static void shortBackoff(ListenerSettings settings) {
    settings.receiver(receiver ->
        receiver.retry(new RetrySettings(1_000, Duration.ofMillis(100), Duration.ofMillis(100))));
  }

  private final AtomicInteger never = new AtomicInteger();
  private final AtomicInteger once = new AtomicInteger();

  private boolean apply(MessageExt message) {
    String body = body(message);
    if (body.equals("never")) {
      never.incrementAndGet();
      return false;
    }
    if (body.equals("once") && once.getAndIncrement() == 0) {
      return false;
    }
    effects.add(body);
    return true;
  }

  @ParameterizedTest(name = "throws {0}")
  @ValueSource(booleans = {false, true})
  void a_loop_that_stops_at_the_first_failure_repeats_no_completed_message(boolean throwing)
      throws Exception {
    createTopic(1);
    send(TEN);
    DefaultMQPushConsumer consumer = consumer();

    consumer.registerMessageListener(open(IdempotentConcurrentListener.wrap(
        consumer,
        store,
        (messages, context) -> {
          for (MessageExt message : messages) {
            if (!apply(message)) {
              if (throwing) {
                throw new IllegalStateException("no stock");
              }
              return ConsumeConcurrentlyStatus.RECONSUME_LATER;
            }
          }
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        },
        LoopListenerTest::shortBackoff)));
    start(consumer);

    assertThat(consumer.getConsumeMessageBatchMaxSize()).isEqualTo(32);
    await()
        .until(() -> effects.containsAll(List.of("a", "b", "c", "d", "e", "once", "f", "g", "h")));
    await().until(() -> never.get() >= 3);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c", "d", "e", "once", "f", "g", "h");
  }

  @Test
  void an_orderly_loop_repeats_nothing_and_keeps_the_order() throws Exception {
    createTopic(1);
    send("a", "b", "once", "c");
    DefaultMQPushConsumer consumer = consumer();

    consumer.registerMessageListener(open(IdempotentOrderlyListener.wrap(
        consumer,
        store,
        (messages, context) -> {
          for (MessageExt message : messages) {
            if (!apply(message)) {
              return ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT;
            }
          }
          return ConsumeOrderlyStatus.SUCCESS;
        },
        LoopListenerTest::shortBackoff)));
    start(consumer);

    await().until(() -> effects.contains("c"));
    assertThat(effects).containsExactly("a", "b", "once", "c");
  }

  @Test
  void messages_of_one_call_run_on_several_workers() throws Exception {
    createTopic(1);
    send("a", "b", "c");
    CyclicBarrier together = new CyclicBarrier(3);
    DefaultMQPushConsumer consumer = consumer();
    consumer.setConsumeThreadMin(3);
    consumer.setConsumeThreadMax(3);

    consumer.registerMessageListener(open(
        IdempotentConcurrentListener.wrap(consumer, store, (messages, context) -> {
          meet(together);
          effects.add(body(messages.get(0)));
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        })));
    start(consumer);

    await().until(() -> effects.size() == 3);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "c");
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void settings_of_the_receiver_and_the_batch_size_are_the_users_to_change() throws Exception {
    DefaultMQPushConsumer kept = consumer();
    List<Integer> leases = new CopyOnWriteArrayList<>();
    MessageListenerConcurrently nothing =
        (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS;

    open(IdempotentConcurrentListener.wrap(
        kept,
        store,
        nothing,
        settings -> settings.keepBatchSize().receiver(receiver -> {
          leases.add(1);
          return receiver.lease(LeaseSettings.of(Duration.ofSeconds(20)));
        })));

    assertThat(kept.getConsumeMessageBatchMaxSize()).isEqualTo(1);
    assertThat(leases).hasSize(1);
  }

  @Test
  void a_listener_of_batches_says_by_ack_index_what_is_done() throws Exception {
    createTopic(1);
    send("a", "b", "once", "c");
    CountDownLatch several = new CountDownLatch(1);
    DefaultMQPushConsumer consumer = consumer();

    consumer.registerMessageListener(open(IdempotentConcurrentListener.wrapBatches(
        consumer,
        store,
        (messages, context) -> {
          if (messages.size() > 1) {
            several.countDown();
          }
          for (int i = 0; i < messages.size(); i++) {
            if (!apply(messages.get(i))) {
              context.setAckIndex(i - 1);
              return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            }
          }
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        },
        LoopListenerTest::shortBackoff)));
    start(consumer);

    await().until(() -> effects.size() >= 4);
    assertThat(effects).containsExactlyInAnyOrder("a", "b", "once", "c");
    assertThat(several.await(0, TimeUnit.SECONDS)).isTrue();
  }
}
