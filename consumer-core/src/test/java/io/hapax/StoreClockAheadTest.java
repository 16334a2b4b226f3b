package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

  @Test
  void a_repeated_claim_costs_no_attempt() throws Exception {
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver = receiver(delivery -> attempts.add(delivery.attempt()));
    whileTheClockIsAhead(() -> claimedElsewhere("a", false, LEASE));
    for (int i = 0; i < 20; i++) {
      assertThat(deferred(receive(receiver, "a").get(0)).after()).isLessThanOrEqualTo(FEW_MINUTES);
      clock.advance(FEW_MINUTES);
    }

    clock.advance(AHEAD);
    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.Executed.class);

    assertThat(attempts).containsExactly(1);
  }

  @Test
  void a_forced_decision_ends_a_lease_of_days() throws Exception {
    IdempotentReceiver<String> receiver = recording();
    whileTheClockIsAhead(() -> claimedElsewhere("a", false, LEASE));
    Mark seen = mark("a");
    long token = seen.claim().token();

    assertThat(marks.resolve(seen.key(), token, seen.state(), Resolution.REOPEN))
        .isFalse();
    assertThat(deferred(receive(receiver, "a").get(0)).reason()).isEqualTo(Reason.BUSY);
    assertThat(marks.resolve(seen.key(), token, seen.state(), Resolution.REOPEN.force()))
        .isTrue();

    assertThat(receive(receiver, "a").get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactly("a");
  }
}
