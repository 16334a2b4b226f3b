package io.hapax.testkit;

import static io.hapax.testkit.Bench.LEASE;
import static io.hapax.testkit.Bench.RELEASE;
import static io.hapax.testkit.Bench.RETRY_NOW;
import static io.hapax.testkit.Bench.withTerms;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims whose owner has died: takeover, counting of attempts, and doubt. */
interface TakeoverContract extends OnBench {

  @Test
  default void a_lost_claim_makes_the_message_a_suspect_that_needs_a_solo_claim() {
    bench().held("m");
    bench().expireLease();
    var before = bench().mark("m");

    ClaimAnswer answer = bench().claim(bench().request("m"));

    assertThat(answer).isEqualTo(new ClaimAnswer.Suspect(new Attempt(1, false, true, false)));
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @Test
  default void a_suspect_shows_its_lost_attempt_and_whether_it_was_solo() {
    bench().settled("m", new Verdict.Retry(Duration.ZERO, true));
    bench().acquire(bench().solo("m"));
    bench().expireLease();

    ClaimAnswer answer = bench().claim(bench().request("m"));

    assertThat(answer).isEqualTo(new ClaimAnswer.Suspect(new Attempt(2, true, true, true)));
  }

  @Test
  default void a_solo_claim_takes_over_and_names_the_previous_owner() {
    Claim lost = bench().held("m");
    bench().expireLease();

    Acquired acquired = bench().acquire(bench().solo("m"));

    assertThat(acquired.kind()).isEqualTo(Kind.TAKEOVER);
    assertThat(acquired.recovered()).isTrue();
    assertThat(acquired.claim().token()).isGreaterThan(lost.token());
    assertThat(acquired.previous()).hasValueSatisfying(previous -> {
      assertThat(previous.owner()).isEqualTo(lost.origin().owner());
      assertThat(previous.token()).isEqualTo(lost.token());
      assertThat(previous.age()).isBetween(LEASE, LEASE.plusMinutes(1));
    });
  }

  @Test
  default void another_process_sees_the_claim_and_may_take_it_over() {
    ClaimRequest request = bench().solo("m");
    Claim lost = bench().held("m");

    ClaimAnswer early = Bench.only(bench().other().claim(List.of(request), LEASE));
    bench().expireLease();
    ClaimAnswer late = Bench.only(bench().other().claim(List.of(request), LEASE));

    assertThat(early).isInstanceOf(ClaimAnswer.Busy.class);
    assertThat(Bench.acquired(late).claim().token()).isGreaterThan(lost.token());
    assertThat(bench().mark("m").claim()).isEqualTo(Bench.acquired(late).claim());
  }

  @Test
  default void losing_a_shared_claim_counts_no_attempt() {
    bench().held("m");
    bench().expireLease();

    Claim taken = bench().acquire(bench().solo("m")).claim();

    assertThat(taken.attempt()).isEqualTo(new Attempt(1, true, true, true));
  }

  @Test
  default void losing_a_solo_claim_counts_an_attempt() {
    bench().acquire(bench().solo("m"));
    bench().expireLease();

    Claim taken = bench().acquire(bench().solo("m")).claim();

    assertThat(taken.attempt()).isEqualTo(new Attempt(2, true, true, true));
  }

  @Test
  default void losing_a_claim_that_acts_in_the_transaction_only_leaves_no_doubt() {
    ClaimTerms internal = new ClaimTerms(true, false, ClaimTerms.ANY_TIME);
    bench().acquire(withTerms(bench().request("m"), internal));
    bench().expireLease();

    Acquired taken = bench().acquire(withTerms(bench().request("m"), internal));

    assertThat(taken.claim().attempt()).isEqualTo(new Attempt(2, true, false, false));
  }

  @Test
  default void being_busy_costs_no_attempt() {
    Claim owner = bench().held("m");
    bench().claim(bench().request("m"));
    bench().claim(bench().solo("m"));
    bench().settle(owner, RETRY_NOW);

    assertThat(bench().held("m").attempt().number()).isEqualTo(2);
  }

  @Test
  default void release_gives_the_attempt_back_and_the_message_is_due_at_once() {
    bench().settled("m", RELEASE);

    Acquired acquired = bench().acquire(bench().request("m"));

    assertThat(acquired.kind()).isEqualTo(Kind.RETRY);
    assertThat(acquired.claim().attempt()).isEqualTo(new Attempt(1, false, true, false));
  }

  @Test
  default void doubt_stays_over_retry_and_release() {
    bench().settled("m", new Verdict.Retry(Duration.ZERO, true));
    Claim second = bench().held("m");
    bench().settle(second, RETRY_NOW);
    Claim third = bench().held("m");
    bench().settle(third, RELEASE);

    Claim fourth = bench().held("m");

    assertThat(second.attempt()).isEqualTo(new Attempt(2, false, true, true));
    assertThat(third.attempt()).isEqualTo(new Attempt(3, false, true, true));
    assertThat(fourth.attempt()).isEqualTo(new Attempt(3, false, true, true));
  }

  @Test
  default void a_failure_before_the_effect_leaves_no_doubt() {
    bench().settled("m", RETRY_NOW);

    assertThat(bench().acquire(bench().request("m")).recovered()).isFalse();
  }

  @Test
  default void tokens_grow_over_release_retry_and_takeover() {
    Claim first = bench().settled("m", RELEASE);
    Claim second = bench().settled("m", RETRY_NOW);
    Claim third = bench().held("m");
    bench().expireLease();
    Claim fourth = bench().acquire(bench().solo("m")).claim();

    assertThat(List.of(first, second, third, fourth))
        .extracting(Claim::token)
        .isSorted()
        .doesNotHaveDuplicates();
  }
}
