package io.hapax.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.health.Problem;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.ManualThreads;
import io.hapax.mark.ClaimAnswer;
import io.hapax.policy.StoreOutagePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageDetectorTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TestMessages messages = new TestMessages();
  private final ManualThreads threads = messages.threads;
  private final TestStore store = new TestStore(threads);
  private final OutageDetector outage = detector(StoreOutagePolicy.failOpen(PATIENCE));

  private OutageDetector detector(StoreOutagePolicy policy) {
    return new OutageDetector(store, policy, "orders", threads.env(), messages.events);
  }

  private void failFor(Duration time) {
    store.down = true;
    outage.failed(threads.nanos());
    threads.advance(time); // the probes fail every second
  }

  @Test
  void a_store_that_fails_for_the_whole_patience_is_bypassed() {
    failFor(PATIENCE.minusSeconds(1));
    assertThat(outage.bypassed()).isFalse();

    threads.advance(Duration.ofSeconds(1));

    assertThat(outage.bypassed()).isTrue();
    assertThat(messages.problems()).contains(Problem.Kind.STORE_BYPASSED);
  }

  @Test
  void a_consumer_that_fails_closed_never_bypasses_the_store() {
    OutageDetector closed = detector(StoreOutagePolicy.failClosed());
    FailureSpan span = FailureSpan.NONE;
    for (int i = 0; i < 100; i++) {
      closed.failed(threads.nanos());
      span = closed.longer(span, threads.nanos());
      threads.advance(Duration.ofSeconds(10));
    }

    assertThat(closed.bypassed(span)).isFalse();
  }

  @Test
  void elapsed_time_without_failed_calls_proves_nothing() {
    outage.failed(threads.nanos());
    threads.advance(Duration.ofHours(1)); // each probe succeeds

    outage.failed(threads.nanos());

    assertThat(outage.bypassed()).isFalse();
  }

  @Test
  void the_bypass_ends_when_the_store_has_written_again() {
    failFor(PATIENCE);
    assertThat(outage.bypassed()).isTrue();

    store.down = false;
    threads.advance(Duration.ofSeconds(1));

    assertThat(outage.bypassed()).isFalse();
    assertThat(messages.problems()).isEmpty();
  }

  @Test
  void a_store_that_only_answers_reads_stays_bypassed() {
    failFor(PATIENCE);
    assertThat(outage.bypassed()).isTrue();

    store.down = false;
    store.readOnly = true;
    threads.advance(Duration.ofSeconds(5));
    outage.answered(List.of("an answer"), ClaimAnswer.Unavailable.class, false, threads.nanos());

    assertThat(outage.bypassed()).isTrue();
  }

  @Test
  void a_call_whose_marks_are_all_unavailable_has_failed() {
    store.down = true;
    ClaimAnswer unavailable = new ClaimAnswer.Unavailable("shard 3");
    outage.answered(List.of(unavailable), ClaimAnswer.Unavailable.class, false, threads.nanos());

    threads.advance(PATIENCE);

    assertThat(outage.bypassed()).isTrue();
  }

  @Test
  void messages_whose_own_calls_fail_bypass_a_store_that_answers_others() {
    FailureSpan own = outage.longer(FailureSpan.NONE, 0);
    own = outage.longer(own, Duration.ofSeconds(4).toNanos());
    assertThat(outage.bypassed(own)).isFalse();

    own = outage.longer(own, Duration.ofSeconds(8).toNanos());
    own = outage.longer(own, PATIENCE.toNanos());

    assertThat(outage.bypassed(own)).isTrue();
  }
}
