package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a poll costs the store, in leased mode. */
class HotPathTest extends FaultFixture {

  private static final int POLL = 100;

  /** Call the store at once: a group holds what was there when it was asked for. */
  private static final class CallersAtOnce extends ThreadPoolExecutor {

    CallersAtOnce() {
      super(0, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicInteger settles = new AtomicInteger();
  private final AtomicInteger settlesOfThePoll = new AtomicInteger();
  private final Gate firstSettle = new Gate();
  private final CountDownLatch settled = new CountDownLatch(POLL);

  /** Counts; its first settle takes as long as it takes to handle the poll. */
  private Object counting(String verb, List<?> items, Call call) throws Throwable {
    if (verb.equals("claim")) {
      claims.incrementAndGet();
    }
    if (verb.equals("settle") && settles.incrementAndGet() == 1) {
      firstSettle.pass();
    }
    return call.go();
  }

  @Test
  @DisplayName("the cost model: what comes in while a settle is under way goes with the next")
  void a_poll_costs_one_claim_and_however_slow_a_settle_is_one_more() throws Exception {
    String[] messages =
        IntStream.rangeClosed(0, POLL).mapToObj(i -> "m" + i).toArray(String[]::new);
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(this::counting), delivery -> {
          if (delivery.message().equals("m1")) { // or all go with the first, on a busy machine
            firstSettle.awaitReached();
          }
          if (delivery.message().equals("m" + POLL)) { // all before it are with the settler
            firstSettle.open();
            assertThat(settled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            settlesOfThePoll.set(settles.get());
          }
        }));

    Submission poll =
        receiver.submit(lane("p0", messages), (index, outcome) -> settled.countDown());

    awaitAll(poll);
    assertThat(claims).hasValue(1);
    assertThat(settlesOfThePoll).hasValue(2);
  }

  @Test
  @DisplayName("the cost model: what a handler takes in one call is settled in one")
  void a_call_for_many_messages_costs_one_settle() throws Exception {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    DedupStore store = faulty(before("settle", items -> sizes.add(items.size())));
    Engine<String> engine = opened(machine(new CallersAtOnce())
        .leasedBatches(engineSettings(LeaseSettings.DEFAULT), store, deliveries -> {}));

    engine.receive(lane("p0", "a", "b", "c"), PATIENCE);

    assertThat(sizes).containsExactly(3);
  }
}
