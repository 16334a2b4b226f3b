package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyContext;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues that are taken from an orderly consumer while it has a message of them. */
@Timeout(180)
class ReturnedQueueTest extends WithConsumers {

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
    await().atMost(BOUND).until(() -> effects.size() >= 2);
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
    ProcessQueue held =
        await().atMost(BOUND).until(() -> table(consumer).get(queue()), Objects::nonNull);

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
