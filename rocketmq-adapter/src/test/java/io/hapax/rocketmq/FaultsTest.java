package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.servers.LocalPostgres;
import io.hapax.store.DedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers and consumers that stop in mid-step, or die before their client has written its offsets.
 */
@Timeout(300)
@Order(1) // of the longest, so that it does not begin last
class FaultsTest extends WithConsumers {

  /** More than one transaction has, so that one is committed: they share a connection. */
  private static final int HANDLED = 40;

  @TempDir
  private Path directory;

  private final CountDownLatch two = new CountDownLatch(2);

  @ParameterizedTest
  @EnumSource(names = {"CONCURRENT", "PULL"})
  void a_member_that_runs_out_of_memory_leaves_its_queues_to_the_others(Way way) throws Exception {
    createTopic(1);
    Started full = start(way, store, this::record);
    send("a");
    await().until(() -> effects.size() == 1);

    exhaustMemory();
    send("b");
    await().until(() -> full.problems().get().toString().contains("RECEIVER_DOWN"));
    full.end().close(); // one that pulls has left by itself
    freeMemory();
    start(way, store, this::record);

    await().until(() -> effects.size() >= 2);
    assertThat(effects).containsExactly("a", "b");
    await().until(() -> stored(0) == 2);
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
    await().until(() -> effects.size() == 20);

    database.kill();
    down.set(true);
    send(texts("during", 20));
    await().until(() -> !started.problems().get().isEmpty());
    assertThat(effects).hasSize(20);

    down.set(false);
    database.restart();
    await().until(() -> effects.size() >= 40);
    await().until(() -> started.problems().get().isEmpty());
    assertThat(effects).doesNotHaveDuplicates().hasSize(40);
    await().until(() -> stored(0) + stored(1) == 40);
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
    await().until(() -> deferred(Outcome.Reason.BUSY) >= 1);
    goOn.countDown();

    await().until(() -> effects.size() >= 4 && count(Outcome.Duplicate.class) >= 1);
    sendTo(0, "a2");
    sendTo(1, "b2");
    await().until(() -> effects.containsAll(List.of("a2", "b2")));
    assertThat(effects).doesNotHaveDuplicates().hasSize(6);
    if (way != Way.CONCURRENT) {
      assertThat(effects)
          .containsSubsequence("a0", "a1", "a2")
          .containsSubsequence("b0", "b1", "b2");
    }
  }

  @ParameterizedTest(name = "pulls {0}")
  @ValueSource(booleans = {false, true})
  void messages_acknowledged_before_a_kill_take_no_second_effect(boolean pulls) throws Exception {
    int sent = 600;
    createTopic(2);
    send(texts("m", sent));
    Process child = pulls
        ? ConsumerJvm.startPulling(nameServer(), topic, group, directory)
        : ConsumerJvm.start(nameServer(), topic, group, directory);
    int handled = 0;
    try {
      while (handled < HANDLED && child.getInputStream().read() == '.') {
        handled++;
      }
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(handled).as(Files.readString(ConsumerJvm.errors(directory))).isEqualTo(HANDLED);

    Shop shop = open(new Shop(directory));
    assertThat(shop.written()).as("it was killed in the middle").hasSizeLessThan(sent);
    if (pulls) {
      DefaultLitePullConsumer consumer = pullConsumer(group);
      open(RocketMqPullReceiver.builder(
              open(builder(consumer).transactional(shop.marks(), Shop.handler())), consumer)
          .subscribe(topic, ALL)
          .start());
    } else {
      DefaultMQPushConsumer consumer = consumer();
      open(RocketMqReceiver.start(
          open(builder(consumer).transactional(shop.marks(), Shop.handler())), consumer));
    }

    await().untilAsserted(() -> assertThat(shop.written()).hasSizeGreaterThanOrEqualTo(sent));
    assertThat(shop.written()).doesNotHaveDuplicates().hasSize(sent);
    if (!pulls) { // a loop that pulls writes by itself how far it is
      await().until(() -> count(Outcome.Duplicate.class) > 0);
    }
  }

  /**
   * The same marks, as another process sees them: receivers of one store object know what each
   * other runs.
   */
  static final class OtherProcess {

    private OtherProcess() {}

    static DedupStore of(DedupStore marks) {
      return (DedupStore) Proxy.newProxyInstance(
          OtherProcess.class.getClassLoader(),
          new Class<?>[] {DedupStore.class},
          (self, method, args) -> {
            if (method.getDeclaringClass() == Object.class) {
              return method.getName().equals("equals")
                  ? self == args[0]
                  : method.getName().equals("hashCode") ? System.identityHashCode(self) : "other";
            }
            try {
              return method.invoke(marks, args);
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          });
    }
  }
}
