package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The store's clock was two days ahead for a moment, and leases and backoffs end in two days. */
class StoreClockAheadTest extends LeasedFixture {

  private static final Duration AHEAD = Duration.ofDays(2);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration FEW_MINUTES = Duration.ofMinutes(5);

  private void whileTheClockIsAhead(Runnable what) {
    clock.advance(AHEAD);
    what.run();
    clock.advance(AHEAD.negated());
  }

  private static Outcome.Deferred deferred(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Deferred.class);
    return (Outcome.Deferred) outcome;
  }

  @Test
  void a_message_under_a_lease_of_days_is_retried_within_minutes() throws Exception {
    whileTheClockIsAhead(() -> claimedElsewhere("a", false, LEASE));

    List<Outcome> outcomes = receive(recording(), "a", "b");

    assertThat(outcomes)
        .hasSize(2)
        .allSatisfy(
            outcome -> assertThat(deferred(outcome).after()).isLessThanOrEqualTo(FEW_MINUTES));
    assertThat(deferred(outcomes.get(0)).reason()).isEqualTo(Reason.BUSY);
    assertThat(deferred(outcomes.get(0)).detail()).contains("PT48H", "clock");
    assertThat(deferred(outcomes.get(1)).reason()).isEqualTo(Reason.BLOCKED);
    assertThat(effects).isEmpty();
  }

  @Test
  void a_message_under_a_backoff_of_days_is_retried_within_minutes() throws Exception {
    IdempotentReceiver<String> failing = receiver(delivery -> {
      throw new IllegalStateException("the downstream is away");
    });
    clock.advance(AHEAD);
    receive(failing, "a");
    clock.advance(AHEAD.negated());

    Outcome.Deferred again = deferred(receive(failing, "a").get(0));

    assertThat(again.reason()).isEqualTo(Reason.BUSY);
    assertThat(again.after()).isLessThanOrEqualTo(FEW_MINUTES);
  }
}
