package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DEFER;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.RELEASE;
import static io.hapax.testkit.Bench.RETRY_DELAY;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static io.hapax.testkit.Bench.RETRY_NOW;
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
import io.hapax.mark.SettleAnswer.Fenced;
import io.hapax.mark.SettleAnswer.Settled;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deferred claims: their settlement, and what later claims know about them. */
interface DeferContract extends OnBench {

  @Test
  default void defer_gives_the_attempt_back_and_is_due_after_the_wait() {
    var before = bench().storeTime();
    Claim claim = bench().settled("m", DEFER);

    Mark mark = bench().mark("m");

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
    Claim first = bench().settled("m", DEFER);

    assertThat(bench().claim(bench().request("m"))).isInstanceOf(ClaimAnswer.Busy.class);
    bench().makeRetryDue();
    Acquired next = bench().acquire(bench().request("m"));

    assertThat(next.kind()).isEqualTo(Kind.RETRY);
    assertThat(next.recovered()).isFalse();
    assertThat(next.claim().attempt()).isEqualTo(deferred(1, first));
    assertThat(next.claim().deferredFor()).isBetween(RETRY_DELAY, RETRY_DELAY.plusSeconds(60));
    assertThat(bench().mark("m").claim()).isEqualTo(next.claim());
  }

  @Test
  default void every_later_claim_remembers_the_first_one_that_was_deferred() {
    Claim first = bench().settled("m", DEFER);
    bench().makeRetryDue();
    Claim second = bench().settled("m", DEFER);
    bench().makeRetryDue();
    Claim third = bench().settled("m", RETRY_NOW);
    Claim fourth = bench().settled("m", RELEASE);
    Claim fifth = bench().held("m");

    assertThat(second.attempt()).isEqualTo(deferred(1, first));
    assertThat(third.attempt()).isEqualTo(deferred(1, first));
    assertThat(fourth.attempt()).isEqualTo(deferred(2, first));
    assertThat(fifth.attempt()).isEqualTo(deferred(2, first));
  }

  @Test
  default void a_claim_of_a_deferred_message_sent_again_is_answered_the_same() {
    Claim first = bench().settled("m", DEFER);
    bench().makeRetryDue();
    var request = bench().request("m");
    Claim claim = bench().acquire(request).claim();

    Acquired again = bench().acquire(request);

    assertThat(again.kind()).isEqualTo(Kind.RESENT);
    assertThat(again.claim()).isEqualTo(claim);
    assertThat(again.claim().attempt()).isEqualTo(deferred(1, first));
  }

  @Test
  default void the_first_deferral_is_remembered_through_a_renewal_and_a_takeover() {
    Claim first = bench().settled("m", DEFER);
    bench().makeRetryDue();
    bench().renew(bench().held("m"));
    bench().expireLease();

    ClaimAnswer suspect = bench().claim(bench().request("m"));
    Claim taken = bench().acquire(bench().solo("m")).claim();

    assertThat(suspect).isEqualTo(new ClaimAnswer.Suspect(deferred(1, first)));
    assertThat(taken.attempt()).isEqualTo(new Attempt(1, true, true, true, first.token()));
    assertThat(bench().mark("m").claim()).isEqualTo(taken);
  }

  @Test
  default void a_deferral_neither_makes_nor_clears_a_doubt() {
    bench().settled("m", new Verdict.Retry(Duration.ZERO, true));
    Claim second = bench().settled("m", DEFER);

    assertThat(bench().mark("m").claim().attempt())
        .isEqualTo(new Attempt(1, false, true, true, second.token()));
  }

  @Test
  default void done_dead_and_reopened_marks_have_forgotten_that_they_were_deferred() {
    for (Verdict verdict : List.of(DONE, DEAD)) {
      String id = verdict.toString();
      bench().settled(id, DEFER);
      bench().makeRetryDue();
      bench().settled(id, verdict);
      assertThat(bench().mark(id).claim().attempt().deferredSince()).as(id).isZero();
    }
    Claim first = bench().settled("m", DEFER);
    store().resolve(bench().key("m"), first.token(), MarkState.RETRY, Resolution.REOPEN);

    assertThat(bench().mark("m").claim().attempt()).isEqualTo(new Attempt(0, false, true, false));
    assertThat(bench().held("m").attempt()).isEqualTo(new Attempt(1, false, true, false));
  }

  @Test
  default void defer_sent_again_is_answered_the_same_and_changes_nothing() {
    Claim claim = bench().settled("m", DEFER);
    Mark before = bench().mark("m");
    bench().advance(Duration.ofMinutes(1));

    for (Verdict verdict : List.of(DEFER, RETRY_LATER, RELEASE)) {
      assertThat(bench().settle(claim, verdict)).isEqualTo(new Settled(false));
    }
    assertThat(bench().settle(claim, DONE)).isEqualTo(new Fenced(MarkState.RETRY));
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @Test
  default void a_claim_that_was_settled_otherwise_cannot_be_deferred() {
    Claim retried = bench().settled("retry", RETRY_LATER);
    Mark before = bench().mark("retry");

    assertThat(bench().settle(retried, DEFER)).isEqualTo(new Settled(false));
    assertThat(bench().mark("retry")).isEqualTo(before);
    assertThat(bench().settle(bench().settled("done", DONE), DEFER))
        .isEqualTo(new Fenced(MarkState.DONE));
    assertThat(bench().settle(bench().settled("dead", DEAD), DEFER))
        .isEqualTo(new Fenced(MarkState.DEAD));
  }

  @Test
  default void a_late_owner_cannot_defer() {
    Claim late = bench().held("m");
    bench().expireLease();
    Claim successor = bench().acquire(bench().solo("m")).claim();
    Mark held = bench().mark("m");

    assertThat(bench().settle(late, DEFER)).isEqualTo(new Fenced(MarkState.PROCESSING));
    assertThat(bench().mark("m")).isEqualTo(held);
    bench().settle(successor, DEFER);
    assertThat(bench().settle(late, DEFER)).isEqualTo(new Fenced(MarkState.RETRY));
  }

  @Test
  default void deferring_a_lost_mark_writes_it_with_its_token_and_reports_the_loss() {
    Claim claim = bench().forgotten("m");

    assertThat(bench().settle(claim, DEFER)).isEqualTo(new Settled(true));

    assertThat(bench().state("m")).isEqualTo(MarkState.RETRY);
    assertThat(bench().mark("m").claim().sameAs(claim)).isTrue();
    assertThat(bench().mark("m").claim().attempt()).isEqualTo(deferred(0, claim));
  }
}
