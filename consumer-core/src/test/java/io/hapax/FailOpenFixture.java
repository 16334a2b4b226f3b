package io.hapax;

import io.hapax.internal.Engine;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.policy.StoreOutagePolicy;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;

/** A receiver that may go on without its store, on a clock that the test moves. */
abstract class FailOpenFixture extends FaultFixture {

  static final Duration PATIENT = Duration.ofSeconds(10);
  static final Duration HALF = Duration.ofSeconds(5);

  final AtomicLong nanos = new AtomicLong();
  final AtomicInteger failures = new AtomicInteger();
  final List<String> claimed = new CopyOnWriteArrayList<>();
  final List<String> bypassed = new CopyOnWriteArrayList<>();
  final List<Delivery<String>> deliveries = new CopyOnWriteArrayList<>();
  volatile boolean away;

  /** Is away whenever the test says so. */
  final DedupStore goesAway = faulty((verb, items, call) -> {
    note(verb, items);
    if (away) {
      failures.incrementAndGet();
      throw new StoreException("connection refused");
    }
    return call.go();
  });

  @BeforeEach
  final void failsOpen() {
    outage = StoreOutagePolicy.failOpen(PATIENT);
    observer = new ReceiverListener() {
      @Override
      public void onStoreBypassed(MessageKey key, StoreBypass bypass) {
        bypassed.add(bypass + " " + key.id());
      }
    };
  }

  /** Remembers what a call claims, if it does. */
  final void note(String verb, List<?> items) {
    if (verb.equals("claim")) {
      items.forEach(it -> claimed.add(((ClaimRequest) it).key().id().toString()));
    }
  }

  final Engine<String> recording(DedupStore over) {
    return ready(engine(LeaseSettings.DEFAULT, nanos::get, over, delivery -> {
      deliveries.add(delivery);
      effects.add(delivery.message());
    }));
  }

  static Outcomes submit(Engine<String> engine, String... messages) {
    Outcomes outcomes = new Outcomes(messages.length);
    engine.submit(lane("p0", messages), outcomes);
    return outcomes;
  }

  final void awaitFailures(int count) {
    int before = failures.get();
    Awaitility.await().atMost(PATIENCE).until(() -> failures.get() >= before + count);
  }

  static void awaitOutcomes(Outcomes outcomes) {
    Awaitility.await().atMost(PATIENCE).until(() -> ended(outcomes));
  }

  private static boolean ended(Outcomes outcomes) {
    return outcomes.seen.stream().noneMatch(List::isEmpty);
  }

  /** Time passes, and time and again the store is found away, until the messages go on. */
  final void staysAwayUntil(Outcomes outcomes) {
    AtomicInteger counted = new AtomicInteger();
    Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(() -> {
      if (!ended(outcomes) && counted.getAndSet(failures.get()) < failures.get()) {
        nanos.addAndGet(HALF.toNanos());
      }
      return ended(outcomes);
    });
  }

  /** An engine whose store has been away for longer than it waits. */
  final Engine<String> bypassing(DedupStore over) {
    return bypassing(recording(over));
  }

  final Engine<String> bypassing(Engine<String> engine) {
    away = true;
    Outcomes first = submit(engine, "first");
    staysAwayUntil(first);
    return engine;
  }
}
