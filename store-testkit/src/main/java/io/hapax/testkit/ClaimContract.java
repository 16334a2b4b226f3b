package io.hapax.testkit;

import static io.hapax.testkit.Bench.as;
import static io.hapax.testkit.Bench.withFingerprint;
import static io.hapax.testkit.Bench.withPayload;
import static io.hapax.testkit.Bench.withTerms;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Conflict;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims of marks, and conflicts: another payload under a known id is answered first. */
interface ClaimContract extends Bench {

  @Test
  default void a_lease_lasts_as_requested_by_the_clock_of_the_store() {
    Instant before = storeTime();

    Instant leaseUntil = acquire(request("m")).leaseUntil();

    assertThat(leaseUntil).isBetween(before.plus(LEASE), storeTime().plus(LEASE));
    assertThat(mark("m").until()).isEqualTo(leaseUntil);
  }

  @Test
  default void the_same_nonce_gets_the_same_claim_again_and_a_renewed_lease() {
    ClaimRequest request = request("m");
    Acquired first = acquire(request);
    advance(Duration.ofMinutes(1));

    Acquired again = acquire(request);

    assertThat(again.claim()).isEqualTo(first.claim());
    assertThat(again.kind()).isEqualTo(Kind.RESENT);
    assertThat(again.leaseUntil()).isAfter(first.leaseUntil());
  }

  @Test
  default void another_nonce_is_busy_for_the_rest_of_the_lease() {
    Claim owner = held("m");
    advance(Duration.ofMinutes(4));

    ClaimAnswer answer = claim(solo("m"));

    assertThat(as(ClaimAnswer.Busy.class, answer).remaining())
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
    assertThat(mark("m").claim()).isEqualTo(owner);
  }

  @Test
  default void the_nonce_of_a_released_claim_acquires_nothing() {
    ClaimRequest request = request("m");
    settle(acquire(request).claim(), RETRY_LATER);
    makeRetryDue();

    ClaimAnswer answer = claim(request);

    assertThat(answer).isInstanceOf(ClaimAnswer.TooLate.class);
    assertThat(state("m")).isEqualTo(MarkState.RETRY);
  }

  @Test
  default void done_is_answered_with_its_result() {
    Bytes result = Bytes.of(new byte[] {0, 1, -1, 127});
    settled("m", new Verdict.Done(result));

    ClaimAnswer answer = claim(request("m"));

    ClaimAnswer.Done done = as(ClaimAnswer.Done.class, answer);
    assertThat(done.result()).isEqualTo(result);
    assertThat(done.own()).isFalse();
    assertThat(done.doneAt()).isEqualTo(mark("m").until());
  }

  @Test
  default void dead_is_answered_with_its_reason() {
    settled("m", new Verdict.Dead("gave up: Zähler \u0000 überlaufen 🧨"));

    ClaimAnswer answer = claim(request("m"));

    assertThat(answer).isEqualTo(new ClaimAnswer.Dead("gave up: Zähler \u0000 überlaufen 🧨"));
  }

  @Test
  default void done_and_dead_remain_after_the_lease_of_their_claim() {
    settled("done", DONE);
    settled("dead", DEAD);
    expireLease();

    assertThat(claim(solo("done"))).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(claim(solo("dead"))).isInstanceOf(ClaimAnswer.Dead.class);
  }

  @Test
  default void now_is_the_time_by_which_leases_are_judged_and_changes_nothing() {
    Instant before = store().now(key("m"));
    assertThat(state("m")).isEqualTo(MarkState.ABSENT);

    Instant claimed = acquire(request("m")).leaseUntil().minus(LEASE);
    Mark mark = mark("m");
    assertThat(claimed).isBetween(before, store().now(key("m")));
    assertThat(other().now(key("m"))).isAfterOrEqualTo(claimed);

    expireLease();
    assertThat(store().now(key("m"))).isAfter(claimed.plus(LEASE));
    assertThat(mark("m")).isEqualTo(mark);
  }

  @Test
  default void a_claim_that_comes_after_its_time_changes_nothing() {
    Instant deadline = storeTime().plusSeconds(60);
    advance(Duration.ofSeconds(61));
    ClaimRequest late = withTerms(request("m"), new ClaimTerms(false, true, deadline));

    ClaimAnswer answer = claim(late);

    assertThat(as(ClaimAnswer.TooLate.class, answer).storeTime()).isAfter(deadline);
    assertThat(state("m")).isEqualTo(MarkState.ABSENT);
  }

  @ParameterizedTest
  @EnumSource
  default void another_payload_conflicts_with_a_settled_mark(SettledAs settled) {
    settled("m", settled.verdict());
    assertConflict("m", settled.state());
    makeRetryDue();
    assertConflict("m", settled.state());
  }

  private void assertConflict(String id, MarkState state) {
    Mark before = mark(id);
    ClaimRequest other = withPayload(solo(id), "another payload");
    ClaimRequest late = withTerms(other, new ClaimTerms(true, true, Instant.EPOCH));

    assertThat(claim(other)).isEqualTo(new Conflict(state));
    assertThat(claim(late)).as("also for a late claim").isEqualTo(new Conflict(state));
    assertThat(mark(id)).isEqualTo(before);
  }

  @Test
  default void without_a_fingerprint_nothing_conflicts() {
    settled("kept", DONE);
    settle(acquire(withFingerprint(request("none"), Fingerprint.NONE)).claim(), DONE);

    ClaimAnswer asksWithout = claim(withFingerprint(request("kept"), Fingerprint.NONE));
    ClaimAnswer keptWithout = claim(request("none"));

    assertThat(asksWithout).isInstanceOf(ClaimAnswer.Done.class);
    assertThat(keptWithout).isInstanceOf(ClaimAnswer.Done.class);
  }

  @Test
  default void a_fingerprint_uses_all_its_bits() {
    acquire(withFingerprint(request("m"), new Fingerprint(Long.MIN_VALUE)));

    ClaimRequest neighbour = withFingerprint(request("m"), new Fingerprint(Long.MIN_VALUE + 1));

    assertThat(claim(neighbour)).isEqualTo(new Conflict(MarkState.PROCESSING));
  }
}
