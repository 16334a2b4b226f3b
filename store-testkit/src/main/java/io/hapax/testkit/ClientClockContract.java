package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.RenewAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Clients whose clock is ten minutes off. These tests move the server's clock instead, because only
 * the difference matters.
 */
interface ClientClockContract extends Bench {

  Duration OFF = Duration.ofMinutes(10);

  @Test
  default void a_client_whose_clock_is_behind_neither_steals_nor_loses_a_lease() {
    advance(OFF);
    assertLeaseHolds();
  }

  @Test
  default void a_client_whose_clock_is_ahead_neither_steals_nor_loses_a_lease() {
    advance(OFF.negated());
    assertLeaseHolds();
  }

  @Test
  default void a_client_whose_clock_is_behind_gets_the_answers_of_the_machine() {
    advance(OFF);
    RandomHistory.replay(fixture(), 10);
  }

  @Test
  default void a_client_whose_clock_is_ahead_gets_the_answers_of_the_machine() {
    advance(OFF.negated());
    RandomHistory.replay(fixture(), 10);
  }

  private void assertLeaseHolds() {
    Instant before = storeTime();
    ClaimTerms inTime = new ClaimTerms(true, true, before.plusSeconds(60));
    Acquired owner = acquire(Bench.withTerms(request("m"), inTime));

    assertThat(owner.leaseUntil()).isBetween(before.plus(LEASE), storeTime().plus(LEASE));
    assertBusy(LEASE);
    advance(LEASE.minusMinutes(1));
    assertBusy(Duration.ofMinutes(1));
    assertThat(renew(owner.claim())).isInstanceOf(RenewAnswer.Renewed.class);
    assertBusy(LEASE);
    expireLease();
    assertThat(acquire(solo("m")).claim().token()).isGreaterThan(owner.claim().token());
  }

  /** Checks how long the message is busy for another owner, within half a minute. */
  private void assertBusy(Duration remaining) {
    ClaimAnswer answer = Bench.only(other().claim(List.of(solo("m")), LEASE));
    assertThat(Bench.as(ClaimAnswer.Busy.class, answer).remaining())
        .isBetween(remaining.minusSeconds(30), remaining);
  }
}
