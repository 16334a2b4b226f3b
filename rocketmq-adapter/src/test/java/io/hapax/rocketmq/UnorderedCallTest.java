package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a message that is redelivered affects the other messages of its call. */
@Timeout(120)
class UnorderedCallTest extends WithConsumers {

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

    await().atMost(BOUND).until(() -> count(Outcome.DeadLettered.class) == 2);
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

    await().atMost(BOUND).until(() -> !copies.isEmpty());
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
    await().atMost(BOUND).until(() -> end(consumer, queue()) == 4);
    assertThat(end(consumer, new MessageQueue("%RETRY%" + group, "local", 0))).isZero();
  }

  private static long end(DefaultMQPushConsumer consumer, MessageQueue queue) throws Exception {
    return new ClientInternals(consumer).api().getMaxOffset(broker(), queue, 10_000);
  }
}
