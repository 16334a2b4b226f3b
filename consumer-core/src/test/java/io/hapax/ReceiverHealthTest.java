package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a health check reports. */
class ReceiverHealthTest extends FaultFixture {

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean away = new AtomicBoolean();
  private final List<String> storeErrors = new CopyOnWriteArrayList<>();

  private Engine<String> engine(MessageHandler<String> handler) {
    return engine(
        LeaseSettings.DEFAULT,
        nanos::get,
        faulty((verb, items, call) -> {
          if (away.get()) {
            throw new StoreException("connection refused");
          }
          return call.go();
        }),
        handler);
  }

  @Test
  void it_says_how_long_ago_the_store_took_the_end_of_a_message() throws Exception {
    Engine<String> engine = engine(delivery -> {});
    engine.receive(lane("p0", "a"), PATIENCE);

    nanos.addAndGet(Duration.ofMinutes(3).toNanos());

    assertThat(engine.health().sinceSettled()).contains(Duration.ofMinutes(3));
  }

  @Test
  void a_failed_attempt_that_the_store_took_counts_and_a_duplicate_does_not() throws Exception {
    Engine<String> engine = engine(delivery -> {
      throw new IllegalStateException("refused");
    });
    engine.receive(lane("p0", "a"), PATIENCE);
    nanos.addAndGet(Duration.ofMinutes(3).toNanos());

    engine.receive(lane("p0", "a"), PATIENCE); // busy until its backoff has ended

    assertThat(engine.health().sinceSettled()).contains(Duration.ofMinutes(3));
  }

  @Test
  void a_store_that_evicts_marks_is_a_problem_until_it_has_evicted_none_for_a_while() {
    Engine<String> engine = engine(delivery -> {});

    listeners.onDataLost(new StoreLoss("node 7", StoreLoss.Extent.EVICTED));
    nanos.addAndGet(Duration.ofMinutes(5).toNanos());

    assertThat(evictions(engine)).singleElement(STRING).contains("node 7", "noeviction");

    nanos.incrementAndGet();
    assertThat(evictions(engine)).isEmpty();
  }

  private static List<String> evictions(Engine<String> engine) {
    return engine.health().problems().stream()
        .filter(it -> it.kind() == Problem.Kind.CONFIGURATION)
        .map(Problem::text)
        .toList();
  }

  private Engine<String> failingFirst() {
    AtomicBoolean failed = new AtomicBoolean();
    return engine(delivery -> {
      if (!failed.getAndSet(true)) {
        throw new IllegalStateException("refused");
      }
    });
  }

  @Test
  void a_lane_that_waits_for_a_backoff_is_shown_until_its_message_is_due() throws Exception {
    Engine<String> engine = failingFirst();
    engine.receive(lane("p0", "a", "b"), PATIENCE);
    nanos.addAndGet(Duration.ofSeconds(20).toNanos());

    assertThat(engine.health().waiting())
        .containsExactly(new ReceiverHealth.WaitingMessage(
            key("a"), "p0@0", Outcome.Reason.RETRY, Duration.ofSeconds(40)));
    assertThat(engine.health().well()).isTrue();

    nanos.addAndGet(Duration.ofSeconds(40).toNanos());
    assertThat(engine.health().waiting()).isEmpty();
  }

  @Test
  void a_lane_is_shown_no_more_once_its_message_is_done() throws Exception {
    Engine<String> engine = failingFirst();
    engine.receive(lane("p0", "a"), PATIENCE);
    clock.advance(Duration.ofMinutes(1));

    engine.receive(lane("p0", "a"), PATIENCE);

    assertThat(engine.health().waiting()).isEmpty();
  }

  @Test
  void a_message_that_waits_for_another_process_is_shown_as_busy() throws Exception {
    failingFirst().receive(lane("p0", "a"), PATIENCE);
    Engine<String> another = engine(delivery -> {});

    another.receive(lane("p0", "a", "b"), PATIENCE);

    assertThat(another.health().waiting())
        .extracting(ReceiverHealth.WaitingMessage::reason)
        .containsExactly(Outcome.Reason.BUSY);
  }

  @Test
  void a_message_that_nothing_waits_behind_is_not_shown() throws Exception {
    Engine<String> engine = failingFirst();

    engine.receive(unordered("p0", "a", "b"), PATIENCE);

    assertThat(engine.health().waiting()).isEmpty();
  }

  @Test
  void it_says_how_long_the_oldest_message_on_its_way_has_been_there() throws Exception {
    Engine<String> engine = engine(delivery -> {});
    away.set(true);
    Submission waiting = engine.submit(lane("p0", "a"), IGNORED);
    nanos.addAndGet(Duration.ofMinutes(3).toNanos());

    assertThat(engine.health().oldestUnfinished()).contains(Duration.ofMinutes(3));

    away.set(false);
    awaitAll(waiting);
    eventually(() -> engine.health().oldestUnfinished().isEmpty());
  }

  @Test
  void a_store_that_does_not_answer_is_reported_until_it_answers_again() throws Exception {
    observer = new ReceiverListener() {
      @Override
      public void onStoreError(String verb, Throwable error) {
        storeErrors.add(verb + ": " + error.getMessage());
      }
    };
    Engine<String> engine = ready(engine(delivery -> {}));
    away.set(true);
    Submission waiting = engine.submit(lane("p0", "a"), IGNORED);
    eventually(() -> !storeErrors.isEmpty());
    assertThat(engine.health().storeReachable()).isFalse();

    assertThat(engine.health().well()).isFalse();
    assertThat(engine.health().problems())
        .singleElement()
        .extracting(Problem::text, STRING)
        .contains("connection refused");

    away.set(false);
    awaitAll(waiting);
    assertThat(engine.health().storeReachable()).isTrue();
    assertThat(engine.health().well()).isTrue();
    assertThat(storeErrors).containsOnly("claim: connection refused");
  }
}
