package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.internal.SimulatedMachine;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How a receiver that goes on without its store finds out that the store is back. */
class BypassEndTest extends FailOpenFixture {

  private static final long ONE_SECOND = 1000;

  /** The generation's reading is looked after once. */
  private static final int LOOKS = 1;

  @Test
  void once_the_store_answers_messages_are_protected_again() throws Exception {
    Engine<String> engine = bypassing(goesAway);

    away = false; // which is found out by asking, since no message needs it
    Awaitility.await().atMost(PATIENCE).until(() -> engine.health().well());

    assertThat(engine.receive(lane("p0", "a"), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(deliveries.get(1).isProtected()).isTrue();
  }

  @Test
  void recovery_is_detected_although_the_store_answered_for_another_message() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Semaphore refusals = new Semaphore(0);
    Engine<String> engine = recording(faulty((verb, items, call) -> {
      boolean both = verb.equals("claim") && items.size() == 2;
      if (away) {
        if (both) {
          asked.incrementAndGet();
          refusals.acquire();
        }
        throw new StoreException("connection refused");
      }
      Object said = call.go();
      return both
          ? List.of(((List<?>) said).get(0), new ClaimAnswer.Unavailable("node 7 is away"))
          : said;
    }));
    engine.receive(lane("p0", "a"), PATIENCE);
    away = true;
    Outcomes outcomes = new Outcomes(2);
    engine.submit(both(lane("p0", "a"), lane("p1", "b")), outcomes);
    Awaitility.await().atMost(PATIENCE).until(() -> asked.get() == 1);
    nanos.addAndGet(HALF.toNanos());
    refusals.release();
    Awaitility.await().atMost(PATIENCE).until(() -> asked.get() == 2);
    nanos.addAndGet(HALF.toNanos());
    away = false; // the next call says of one that it is done, and of the other nothing
    refusals.release();
    awaitOutcomes(outcomes);
    assertThat(bypassed).containsExactly("NOT_CLAIMED b");

    Awaitility.await().atMost(PATIENCE).until(() -> engine.health().well());
  }

  /** A store of two nodes, told apart by a bit of the store key. */
  private static boolean liesWith(MessageKey one, MessageKey other) {
    return (one.storeKey()[0] & 1) == (other.storeKey()[0] & 1);
  }

  @Test
  void a_probe_of_one_part_does_not_hide_that_another_part_answers() throws Exception {
    CompletableFuture<MessageKey> asked = new CompletableFuture<>();
    Engine<String> engine = bypassing(recording(faulty((verb, items, call) -> {
      if (verb.equals("claim")) {
        MessageKey key = ((ClaimRequest) items.get(0)).key();
        if (key.id().toString().startsWith("hapax")) {
          asked.complete(key);
        }
        if (asked.isDone() && !liesWith(key, asked.join())) {
          return call.go();
        }
      }
      if (away && !verb.equals("settle")) {
        failures.incrementAndGet();
        throw new StoreException("its node is away");
      }
      return call.go();
    })));

    Awaitility.await()
        .atMost(PATIENCE.multipliedBy(2))
        .until(() -> engine.health().well());

    String there = IntStream.range(0, 100)
        .mapToObj(i -> "m" + i)
        .filter(id -> !liesWith(key(id), asked.join()))
        .findFirst()
        .orElseThrow();
    assertThat(engine.receive(lane("p0", there), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
  }

  @Test
  void repeated_outages_cause_one_store_probe_at_a_time() throws Exception {
    HeldBackTimer timer = new HeldBackTimer();
    SimulatedMachine machine = new SimulatedMachine(
        nanos::get,
        Executors.newCachedThreadPool(),
        Executors.newCachedThreadPool(),
        timer,
        () -> 0.5);
    Engine<String> engine = ready(
        opened(machine.leased(engineSettings(LeaseSettings.DEFAULT), goesAway, delivery -> {})));
    for (int i = 0; i < 5; i++) {
      away = true;
      Outcomes outcomes = submit(engine, "m" + i);
      awaitFailures(1);
      away = false;
      awaitOutcomes(outcomes);
    }
    away = true;
    submit(engine, "last");
    awaitFailures(1);
    away = false;

    long questions = timer.held.stream().filter(it -> it == ONE_SECOND).count();
    assertThat(questions - LOOKS).as("questions that wait to be asked").isEqualTo(1);
  }

  /** Runs what is not far off, and only remembers the rest. */
  private static final class HeldBackTimer extends ScheduledThreadPoolExecutor {

    private final List<Long> held = new CopyOnWriteArrayList<>();

    HeldBackTimer() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      if (unit.toMillis(delay) < ONE_SECOND) {
        return super.schedule(task, delay, unit);
      }
      held.add(unit.toMillis(delay));
      return super.schedule(() -> {}, 0, unit);
    }
  }
}
