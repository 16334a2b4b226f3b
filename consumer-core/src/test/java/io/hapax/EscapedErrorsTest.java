package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.Engine;
import io.hapax.internal.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An allocation that fails on one of the engine's threads, at a place outside of user code. */
@DisplayName("invariant 14: no message waits for ever because memory was used up for a moment")
class EscapedErrorsTest extends FaultFixture {

  private static final LeaseSettings SHORT = LeaseSettings.of(Duration.ofMillis(600));

  /** How many of the next readings of the clock fail on threads with this name. */
  private final AtomicInteger failures = new AtomicInteger();

  private volatile String threads = "none";

  private final Ticker exhausted = () -> {
    if (Thread.currentThread().getName().startsWith(threads)
        && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new OutOfMemoryError("Java heap space");
    }
    return System.nanoTime();
  };

  private void failOn(String threadsNamed, int times) {
    failures.set(times);
    threads = threadsNamed;
  }

  private void awaitFailures() {
    Awaitility.await().atMost(PATIENCE).until(() -> failures.get() == 0);
  }

  @Test
  void a_lease_is_renewed_after_an_error_in_the_renewal_timer() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Engine<String> engine = ready(engine(
        SHORT, exhausted, faulty((verb, items, call) -> call.go()), delivery -> mayEnd.await()));
    Submission submission = engine.submit(lane("p0", "a"), (index, outcome) -> {});
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> !marks.find(List.of(key("a"))).isEmpty()
            && marks.find(List.of(key("a"))).get(0).isPresent());
    failOn("hapax-timer", 3);
    awaitFailures();

    var before = mark("a").until();
    clock.advance(SHORT.lease());

    Awaitility.await().atMost(PATIENCE).until(() -> mark("a").until().isAfter(before));
    mayEnd.countDown();
    assertThat(submission.await(PATIENCE)).isTrue();
  }

  @Test
  void health_names_renewals_that_fail() throws Exception {
    Engine<String> engine =
        ready(engine(SHORT, exhausted, faulty((verb, items, call) -> call.go()), delivery -> {}));

    failOn("hapax-timer", 1);

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> engine.health().troubles().toString().contains("no lease was renewed"));
    Awaitility.await().atMost(PATIENCE).until(() -> engine.health().well());
  }

  @Test
  void a_submission_whose_admission_fails_is_deferred() throws Exception {
    Engine<String> engine =
        ready(engine(SHORT, exhausted, faulty((verb, items, call) -> call.go()), delivery -> {}));
    Outcomes outcomes = new Outcomes(2);
    failOn("hapax-store", 1);

    assertThat(engine.submit(lane("p0", "a", "b"), outcomes).await(PATIENCE)).isTrue();

    assertThat(outcomes.seen).allSatisfy(each -> assertThat(each).hasSize(1));
  }

  @Test
  void a_settlement_is_sent_after_an_error_in_the_settler() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Engine<String> engine = ready(engine(
        LeaseSettings.DEFAULT, exhausted, faulty((verb, items, call) -> call.go()), delivery -> {
          if (mayEnd.await(5, TimeUnit.SECONDS)) {
            failOn("hapax-store", 1);
          }
        }));
    Submission first = engine.submit(lane("p0", "a"), (index, outcome) -> {});
    mayEnd.countDown();

    assertThat(first.await(PATIENCE)).isTrue();
    Submission second = engine.submit(lane("p0", "b"), (index, outcome) -> {});
    assertThat(second.await(PATIENCE)).isTrue();
  }
}
