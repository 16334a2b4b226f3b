package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims whose owner has died: takeover, counting of attempts, and doubt. */
interface TakeoverContract extends Bench {

  @Test
  default void a_suspect_shows_its_lost_attempt_and_whether_it_was_solo() {
    settled("m", new Verdict.Retry(Duration.ZERO, true));
    acquire(solo("m"));
    expireLease();

    ClaimAnswer answer = claim(request("m"));

    assertThat(answer).isEqualTo(new ClaimAnswer.Suspect(new Attempt(2, true, true, true)));
  }

  @Test
  default void another_process_sees_the_claim_and_may_take_it_over() {
    ClaimRequest request = solo("m");
    Claim lost = held("m");

    ClaimAnswer early = Bench.only(other().claim(List.of(request), LEASE));
    expireLease();
    ClaimAnswer late = Bench.only(other().claim(List.of(request), LEASE));

    assertThat(early).isInstanceOf(ClaimAnswer.Busy.class);
    assertThat(Bench.acquired(late).claim().token()).isGreaterThan(lost.token());
    assertThat(mark("m").claim()).isEqualTo(Bench.acquired(late).claim());
  }

  @Test
  default void losing_a_shared_claim_counts_no_attempt() {
    held("m");
    expireLease();

    Claim taken = acquire(solo("m")).claim();

    assertThat(taken.attempt()).isEqualTo(new Attempt(1, true, true, true));
  }

  @Test
  default void losing_a_solo_claim_counts_an_attempt() {
    acquire(solo("m"));
    expireLease();

    Claim taken = acquire(solo("m")).claim();

    assertThat(taken.attempt()).isEqualTo(new Attempt(2, true, true, true));
  }

  @Test
  default void being_busy_costs_no_attempt() {
    Claim owner = held("m");
    claim(request("m"));
    claim(solo("m"));
    settle(owner, RETRY_NOW);

    assertThat(held("m").attempt().number()).isEqualTo(2);
  }

  @Test
  default void doubt_stays_over_retry_and_release() {
    settled("m", new Verdict.Retry(Duration.ZERO, true));
    Claim second = held("m");
    settle(second, RETRY_NOW);
    Claim third = held("m");
    settle(third, RELEASE);

    Claim fourth = held("m");

    assertThat(second.attempt()).isEqualTo(new Attempt(2, false, true, true));
    assertThat(third.attempt()).isEqualTo(new Attempt(3, false, true, true));
    assertThat(fourth.attempt()).isEqualTo(new Attempt(3, false, true, true));
  }

  @Test
  default void tokens_grow_over_release_retry_and_takeover() {
    Claim first = settled("m", RELEASE);
    Claim second = settled("m", RETRY_NOW);
    Claim third = held("m");
    expireLease();
    Claim fourth = acquire(solo("m")).claim();

    assertThat(List.of(first, second, third, fourth))
        .extracting(Claim::token)
        .isSorted()
        .doesNotHaveDuplicates();
  }
}
