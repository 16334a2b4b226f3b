package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.servers.LocalPostgres;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers and consumers that stop in mid-step. */
@Timeout(180)
@Order(3) // of the longest, so that it does not begin last
class FaultsTest extends WithConsumers {

  private void record(Delivery<MessageExt> delivery) {
    effects.add(body(delivery.message()));
  }

  private static String[] texts(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  private RocketMqReceiver receive(DedupStore marks, MessageHandler<MessageExt> handler)
      throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer).leased(marks, handler));
    return open(RocketMqReceiver.start(receiver, consumer));
  }

  @Test
  void a_consumer_stopped_beyond_its_lease_changes_nothing_afterwards() throws Exception {
    createTopic(2);
    LocalPostgres database = open(LocalPostgres.start());
    DedupStore marks = open(marks(database)).store();
    sendTo(0, "slow");
    Process child = SlowConsumerJvm.start(
        nameServer(), topic, group, database.jdbcUrl(), database.username(), database.password());
    try {
      assertThat(child.getInputStream().read()).isEqualTo('.');
      List<Boolean> recoveries = new CopyOnWriteArrayList<>();
      receive(marks, delivery -> {
        recoveries.add(delivery.recovery());
        record(delivery);
      });
      sendTo(0, "slow");
      sendTo(1, "slow"); // one of them comes to this JVM
      await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) >= 1);

      SlowConsumerJvm.signal(child, "STOP");
      await().atMost(BOUND).until(() -> count(Outcome.Executed.class) == 1);
      Mark done = mark(marks);
      SlowConsumerJvm.signal(child, "CONT");
      child.getOutputStream().write('g');
      child.getOutputStream().flush();

      int outcome = child.getInputStream().read();
      while (outcome == '?') {
        outcome = child.getInputStream().read(); // of the copy that the child got
      }
      assertThat(outcome).isEqualTo('L');
      assertThat(recoveries).containsExactly(true); // the one repeat, and it is told
      assertThat(mark(marks)).isEqualTo(done);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private Mark mark(DedupStore marks) {
    return marks.find(List.of(MessageKey.of(group, topic + "/slow"))).get(0).orElseThrow();
  }

  @Test
  void while_the_store_is_down_nothing_runs_and_nothing_is_acknowledged() throws Exception {
    createTopic(2);
    LocalPostgres database = open(LocalPostgres.start());
    DedupStore marks = open(marks(database)).store();
    AtomicBoolean down = new AtomicBoolean();
    RocketMqReceiver receiver = receive(marks, delivery -> {
      assertThat(down).isFalse();
      record(delivery);
    });
    send(texts("before", 20));
    await().atMost(BOUND).until(() -> effects.size() == 20);

    database.kill();
    down.set(true);
    send(texts("during", 20));
    await().atMost(BOUND).until(() -> !receiver.problems().isEmpty());
    assertThat(effects).hasSize(20);

    down.set(false);
    database.restart();
    await().atMost(BOUND).until(() -> effects.size() >= 40);
    await().atMost(BOUND).until(() -> receiver.problems().isEmpty());
    assertThat(effects).doesNotHaveDuplicates().hasSize(40);
  }

  @Test
  void a_queue_whose_order_was_taken_over_in_mid_step_runs_no_message_twice() throws Exception {
    createTopic(2);
    stopClock();
    sendTo(0, "a0", "a1");
    sendTo(1, "b0", "b1");
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    receiveInOrder(delivery -> {
      running.countDown();
      goOn.await();
      record(delivery);
    });
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();

    // The lock of one queue is taken from the first by force.
    receiveInOrder(new OtherProcess(store), this::record);
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) >= 1);
    goOn.countDown();

    await().atMost(BOUND).until(() -> effects.size() >= 4);
    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) >= 1);
    assertThat(effects).doesNotHaveDuplicates().hasSize(4);
    assertThat(effects).containsSubsequence("a0", "a1").containsSubsequence("b0", "b1");
  }

  @Test
  void a_queue_that_moves_during_a_healthy_handler_runs_it_once() throws Exception {
    createTopic(2);
    stopClock();
    sendTo(0, "a");
    sendTo(1, "b");
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    receive(store, delivery -> {
      running.countDown();
      goOn.await();
      record(delivery);
    });
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();

    receive(new OtherProcess(store), this::record); // gets one of the queues, from its last offset
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) >= 1);
    assertThat(effects).isEmpty();
    goOn.countDown();

    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) >= 1);
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
  }
}
