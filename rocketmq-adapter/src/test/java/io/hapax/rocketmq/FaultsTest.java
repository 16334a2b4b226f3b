package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import io.hapax.servers.LocalPostgres;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers and consumers that stop in mid-step. */
@Timeout(180)
@Order(3) // of the longest, so that it does not begin last
class FaultsTest extends WithConsumers {

  private final CountDownLatch two = new CountDownLatch(2);

  @ParameterizedTest
  @EnumSource(names = {"CONCURRENT", "PULL"})
  void a_member_that_runs_out_of_memory_leaves_its_queues_to_the_others(Way way) throws Exception {
    createTopic(1);
    Started full = start(way, store, this::record);
    send("a");
    await().atMost(BOUND).until(() -> effects.size() == 1);

    exhaustMemory();
    send("b");
    await().atMost(BOUND).until(() -> full.problems().get().toString().contains("RECEIVER_DOWN"));
    full.end().close(); // one that pulls has left by itself
    freeMemory();
    start(way, store, this::record);

    await().atMost(BOUND).until(() -> effects.size() >= 2);
    assertThat(effects).containsExactly("a", "b");
    await().atMost(BOUND).until(() -> stored(0) == 2);
  }

  @ParameterizedTest
  @EnumSource(names = {"CONCURRENT", "PULL"})
  void while_the_store_is_down_nothing_runs_and_nothing_is_acknowledged(Way way) throws Exception {
    createTopic(2);
    LocalPostgres database = open(LocalPostgres.start());
    DedupStore marks = open(marks(database)).store();
    AtomicBoolean down = new AtomicBoolean();
    Started started = start(way, marks, delivery -> {
      assertThat(down).isFalse();
      record(delivery);
    });
    send(texts("before", 20));
    await().atMost(BOUND).until(() -> effects.size() == 20);

    database.kill();
    down.set(true);
    send(texts("during", 20));
    await().atMost(BOUND).until(() -> !started.problems().get().isEmpty());
    assertThat(effects).hasSize(20);

    down.set(false);
    database.restart();
    await().atMost(BOUND).until(() -> effects.size() >= 40);
    await().atMost(BOUND).until(() -> started.problems().get().isEmpty());
    assertThat(effects).doesNotHaveDuplicates().hasSize(40);
    await().atMost(BOUND).until(() -> stored(0) + stored(1) == 40);
  }

  @ParameterizedTest
  @EnumSource
  void a_queue_that_moves_during_a_handler_repeats_and_loses_nothing(Way way) throws Exception {
    createTopic(2);
    stopClock();
    sendTo(0, "a0");
    sendTo(1, "b0");
    start(way, store, delivery -> {
      two.countDown();
      hold(delivery);
    });
    assertThat(two.await(60, TimeUnit.SECONDS)).isTrue();
    sendTo(0, "a1");
    sendTo(1, "b1");

    // It gets one of the queues, from its last offset; an ordered one takes its lock by force.
    start(way, OtherProcess.of(store), this::record);
    await().atMost(BOUND).until(() -> deferred(Outcome.Reason.BUSY) >= 1);
    goOn.countDown();

    await().atMost(BOUND).until(() -> effects.size() >= 4 && count(Outcome.Duplicate.class) >= 1);
    sendTo(0, "a2");
    sendTo(1, "b2");
    await().atMost(BOUND).until(() -> effects.containsAll(List.of("a2", "b2")));
    assertThat(effects).doesNotHaveDuplicates().hasSize(6);
    if (way != Way.CONCURRENT) {
      assertThat(effects)
          .containsSubsequence("a0", "a1", "a2")
          .containsSubsequence("b0", "b1", "b2");
    }
  }
}
