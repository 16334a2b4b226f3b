package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.servers.LocalPostgres;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers and consumers that stop in mid-step. */
@Timeout(180)
@Order(3) // of the longest, so that it does not begin last
class FaultsTest extends WithConsumers {

  private RocketMqReceiver receive(DedupStore marks, MessageHandler<MessageExt> handler)
      throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    IdempotentReceiver<MessageExt> receiver = open(builder(consumer).leased(marks, handler));
    return open(RocketMqReceiver.start(receiver, consumer));
  }

  @ParameterizedTest(name = "pulls {0}")
  @ValueSource(booleans = {false, true})
  void a_member_that_runs_out_of_memory_leaves_its_queues_to_the_others(boolean pulls)
      throws Exception {
    createTopic(1);
    AutoCloseable full;
    Supplier<List<Problem>> problems;
    if (pulls) {
      RocketMqPullReceiver receiver = pull(this::record);
      full = () -> {}; // it has left
      problems = receiver::problems;
    } else {
      RocketMqReceiver receiver = receive(store, this::record);
      full = receiver; // whose owner ends it
      problems = receiver::problems;
    }
    send("a");
    await().atMost(BOUND).until(() -> effects.size() == 1);

    exhaustMemory();
    send("b");
    await().atMost(BOUND).until(() -> problems.get().toString().contains("RECEIVER_DOWN"));
    full.close();
    freeMemory();
    AutoCloseable unused = pulls ? pull(this::record) : receive(store, this::record);

    await().atMost(BOUND).until(() -> effects.size() >= 2);
    assertThat(effects).containsExactly("a", "b");
    await().atMost(BOUND).until(() -> stored(0) == 2);
  }

  @ParameterizedTest(name = "pulls {0}")
  @ValueSource(booleans = {false, true})
  void while_the_store_is_down_nothing_runs_and_nothing_is_acknowledged(boolean pulls)
      throws Exception {
    createTopic(2);
    LocalPostgres database = open(LocalPostgres.start());
    DedupStore marks = open(marks(database)).store();
    AtomicBoolean down = new AtomicBoolean();
    MessageHandler<MessageExt> handler = delivery -> {
      assertThat(down).isFalse();
      record(delivery);
    };
    Supplier<List<Problem>> problems =
        pulls ? pull(marks, handler)::problems : receive(marks, handler)::problems;
    send(texts("before", 20));
    await().atMost(BOUND).until(() -> effects.size() == 20);

    database.kill();
    down.set(true);
    send(texts("during", 20));
    await().atMost(BOUND).until(() -> !problems.get().isEmpty());
    assertThat(effects).hasSize(20);

    down.set(false);
    database.restart();
    await().atMost(BOUND).until(() -> effects.size() >= 40);
    await().atMost(BOUND).until(() -> problems.get().isEmpty());
    assertThat(effects).doesNotHaveDuplicates().hasSize(40);
    await().atMost(BOUND).until(() -> stored(0) + stored(1) == 40);
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
    receiveInOrder(OtherProcess.of(store), this::record);
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

    receive(OtherProcess.of(store), this::record); // gets one of the queues, from its last offset
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) >= 1);
    assertThat(effects).isEmpty();
    goOn.countDown();

    await().atMost(BOUND).until(() -> count(Outcome.Duplicate.class) >= 1);
    assertThat(effects).containsExactlyInAnyOrder("a", "b");
  }
}
