package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Resolution;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deferred claims: their settlement, and what later claims know about them. */
interface DeferContract extends Bench {

  @Test
  default void defer_gives_the_attempt_back_and_is_due_after_the_wait() {
    var before = storeTime();
    Claim claim = settled("m", DEFER);

    Mark mark = mark("m");

    assertThat(mark.state()).isEqualTo(MarkState.RETRY);
    assertThat(mark.until())
        .isBetween(before.plus(RETRY_DELAY), before.plus(RETRY_DELAY).plusSeconds(60));
    assertThat(mark.claim().sameAs(claim)).isTrue();
    assertThat(mark.claim().origin()).isEqualTo(claim.origin());
    assertThat(mark.claim().attempt()).isEqualTo(deferred(0, claim));
    assertThat(mark.detail()).isEqualTo(Bytes.EMPTY);
  }

  private static Attempt deferred(int number, Claim first) {
    return new Attempt(number, false, true, false, first.token());
  }

  @Test
  default void a_deferred_message_is_busy_and_then_claimed_for_the_same_attempt() {
    Claim first = settled("m", DEFER);

    assertThat(claim(request("m"))).isInstanceOf(ClaimAnswer.Busy.class);
    makeRetryDue();
    Acquired next = acquire(request("m"));

    assertThat(next.kind()).isEqualTo(Kind.RETRY);
    assertThat(next.recovered()).isFalse();
    assertThat(next.claim().attempt()).isEqualTo(deferred(1, first));
    assertThat(next.claim().deferredFor()).isBetween(RETRY_DELAY, RETRY_DELAY.plusSeconds(60));
    assertThat(mark("m").claim()).isEqualTo(next.claim());
  }

  @Test
  default void every_later_claim_remembers_the_first_one_that_was_deferred() {
    Claim first = settled("m", DEFER);
    makeRetryDue();
    Claim second = settled("m", DEFER);
    makeRetryDue();
    Claim third = settled("m", RETRY_NOW);
    Claim fourth = settled("m", RELEASE);
    Claim fifth = held("m");

    assertThat(second.attempt()).isEqualTo(deferred(1, first));
    assertThat(third.attempt()).isEqualTo(deferred(1, first));
    assertThat(fourth.attempt()).isEqualTo(deferred(2, first));
    assertThat(fifth.attempt()).isEqualTo(deferred(2, first));
  }

  @Test
  default void the_first_deferral_is_remembered_through_a_renewal_and_a_takeover() {
    Claim first = settled("m", DEFER);
    makeRetryDue();
    renew(held("m"));
    expireLease();

    ClaimAnswer suspect = claim(request("m"));
    Claim taken = acquire(solo("m")).claim();

    assertThat(suspect).isEqualTo(new ClaimAnswer.Suspect(deferred(1, first)));
    assertThat(taken.attempt()).isEqualTo(new Attempt(1, true, true, true, first.token()));
    assertThat(mark("m").claim()).isEqualTo(taken);
  }

  @Test
  default void a_deferral_neither_makes_nor_clears_a_doubt() {
    settled("m", new Verdict.Retry(Duration.ZERO, true));
    Claim second = settled("m", DEFER);

    assertThat(mark("m").claim().attempt())
        .isEqualTo(new Attempt(1, false, true, true, second.token()));
  }

  @Test
  default void done_dead_and_reopened_marks_have_forgotten_that_they_were_deferred() {
    for (Verdict verdict : List.of(DONE, DEAD)) {
      String id = verdict.toString();
      settled(id, DEFER);
      makeRetryDue();
      settled(id, verdict);
      assertThat(mark(id).claim().attempt().deferredSince()).as(id).isZero();
    }
    Claim first = settled("m", DEFER);
    store().resolve(key("m"), first.token(), MarkState.RETRY, Resolution.REOPEN);

    assertThat(mark("m").claim().attempt()).isEqualTo(new Attempt(0, false, true, false));
    assertThat(held("m").attempt()).isEqualTo(new Attempt(1, false, true, false));
  }
}
