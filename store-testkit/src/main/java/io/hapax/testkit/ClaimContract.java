package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.LEASE;
import static io.hapax.testkit.Bench.RETRY_DELAY;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static io.hapax.testkit.Bench.as;
import static io.hapax.testkit.Bench.withTerms;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Claims of a mark in each state. */
interface ClaimContract extends OnBench {

  @Test
  default void absent_is_acquired_fresh() {
    ClaimRequest request = bench().request("m");

    Acquired acquired = bench().acquire(request);

    assertThat(acquired.kind()).isEqualTo(Kind.FRESH);
    assertThat(acquired.previous()).isEmpty();
    assertThat(acquired.claim())
        .isEqualTo(new Claim(
            request.key(),
            request.nonce(),
            acquired.claim().token(),
            new Attempt(1, false, true, false),
            request.fingerprint(),
            request.origin()));
    assertThat(bench().mark("m").claim()).isEqualTo(acquired.claim());
    assertThat(bench().state("m")).isEqualTo(MarkState.PROCESSING);
  }

  @Test
  default void a_lease_lasts_as_requested_by_the_clock_of_the_store() {
    Instant before = bench().storeTime();

    Instant leaseUntil = bench().acquire(bench().request("m")).leaseUntil();

    assertThat(leaseUntil).isBetween(before.plus(LEASE), bench().storeTime().plus(LEASE));
    assertThat(bench().mark("m").until()).isEqualTo(leaseUntil);
  }

  @Test
  default void the_same_nonce_gets_the_same_claim_again_and_a_renewed_lease() {
    ClaimRequest request = bench().request("m");
    Acquired first = bench().acquire(request);
    bench().advance(Duration.ofMinutes(1));

    Acquired again = bench().acquire(request);

    assertThat(again.claim()).isEqualTo(first.claim());
    assertThat(again.kind()).isEqualTo(Kind.RESENT);
    assertThat(again.leaseUntil()).isAfter(first.leaseUntil());
  }

  @Test
  default void the_same_nonce_gets_the_same_claim_again_after_its_lease() {
    ClaimRequest request = bench().request("m");
    Acquired first = bench().acquire(request);
    bench().expireLease();

    Acquired again = bench().acquire(request);

    assertThat(again.claim()).isEqualTo(first.claim());
    assertThat(again.kind()).isEqualTo(Kind.RESENT);
  }

  @Test
  default void another_nonce_is_busy_for_the_rest_of_the_lease() {
    Claim owner = bench().held("m");
    bench().advance(Duration.ofMinutes(4));

    ClaimAnswer answer = bench().claim(bench().solo("m"));

    assertThat(as(ClaimAnswer.Busy.class, answer).remaining())
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
    assertThat(bench().mark("m").claim()).isEqualTo(owner);
  }

  @Test
  default void a_retry_that_is_not_due_is_busy_until_it_is() {
    bench().settled("m", RETRY_LATER);

    ClaimAnswer answer = bench().claim(bench().request("m"));

    assertThat(as(ClaimAnswer.Busy.class, answer).remaining())
        .isBetween(RETRY_DELAY.minusMinutes(1), RETRY_DELAY);
    assertThat(bench().state("m")).isEqualTo(MarkState.RETRY);
  }

  @Test
  default void a_retry_that_is_due_is_acquired_as_the_next_attempt() {
    Claim failed = bench().settled("m", RETRY_LATER);
    bench().makeRetryDue();

    Acquired acquired = bench().acquire(bench().request("m"));

    assertThat(acquired.kind()).isEqualTo(Kind.RETRY);
    assertThat(acquired.claim().attempt().number()).isEqualTo(2);
    assertThat(acquired.claim().token()).isGreaterThan(failed.token());
  }

  @Test
  default void the_nonce_of_a_released_claim_acquires_nothing() {
    ClaimRequest request = bench().request("m");
    bench().settle(bench().acquire(request).claim(), RETRY_LATER);
    bench().makeRetryDue();

    ClaimAnswer answer = bench().claim(request);

    assertThat(answer).isInstanceOf(ClaimAnswer.TooLate.class);
    assertThat(bench().state("m")).isEqualTo(MarkState.RETRY);
  }

  @Test
  default void done_is_answered_with_its_result() {
    Bytes result = Bytes.of(new byte[] {0, 1, -1, 127});
    bench().settled("m", new Verdict.Done(result));

    ClaimAnswer answer = bench().claim(bench().request("m"));

    ClaimAnswer.Done done = as(ClaimAnswer.Done.class, answer);
    assertThat(done.result()).isEqualTo(result);
    assertThat(done.own()).isFalse();
    assertThat(done.doneAt()).isEqualTo(bench().mark("m").until());
  }

  @Test
  default void done_under_the_nonce_of_the_request_is_recognised_as_own() {
    ClaimRequest request = bench().request("m");
    bench().settle(bench().acquire(request).claim(), DONE);

    ClaimAnswer answer = bench().claim(request);

    assertThat(as(ClaimAnswer.Done.class, answer).own()).isTrue();
  }

  @Test
  default void dead_is_answered_with_its_reason() {
    bench().settled("m", new Verdict.Dead("gave up: Zähler \u0000 überlaufen 🧨"));

    ClaimAnswer answer = bench().claim(bench().request("m"));

    assertThat(answer).isEqualTo(new ClaimAnswer.Dead("gave up: Zähler \u0000 überlaufen 🧨"));
  }

  @Test
  default void done_and_dead_remain_after_the_lease_of_their_claim() {
    bench().settled("done", DONE);
    bench().settled("dead", DEAD);
    bench().expireLease();

    assertThat(bench().claim(bench().solo("done"))).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(bench().claim(bench().solo("dead"))).isInstanceOf(ClaimAnswer.Dead.class);
  }

  @Test
  default void a_claim_that_comes_after_its_time_changes_nothing() {
    Instant deadline = bench().storeTime().plusSeconds(60);
    bench().advance(Duration.ofSeconds(61));
    ClaimRequest late = withTerms(bench().request("m"), new ClaimTerms(false, true, deadline));

    ClaimAnswer answer = bench().claim(late);

    assertThat(as(ClaimAnswer.TooLate.class, answer).storeTime()).isAfter(deadline);
    assertThat(bench().state("m")).isEqualTo(MarkState.ABSENT);
  }

  @Test
  default void a_claim_that_comes_in_its_time_is_acquired() {
    Instant deadline = bench().storeTime().plusSeconds(60);
    ClaimRequest request = withTerms(bench().request("m"), new ClaimTerms(false, true, deadline));

    assertThat(bench().claim(request)).isInstanceOf(Acquired.class);
  }

  @Test
  default void a_resend_that_comes_after_its_time_does_not_renew_the_lease() {
    Instant deadline = bench().storeTime().plusSeconds(60);
    ClaimRequest request = withTerms(bench().request("m"), new ClaimTerms(false, true, deadline));
    Acquired first = bench().acquire(request);
    bench().advance(Duration.ofSeconds(61));

    ClaimAnswer answer = bench().claim(request);

    assertThat(answer).isInstanceOf(ClaimAnswer.TooLate.class);
    assertThat(bench().mark("m").until()).isEqualTo(first.leaseUntil());
  }
}
