package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.RECEIPT;
import static io.hapax.testkit.Bench.RELEASE;
import static io.hapax.testkit.Bench.RETRY_LATER;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator may decide. */
interface OperatorContract extends OnBench {

  private boolean resolve(String id, long token, Resolution resolution) {
    return resolve(id, token, bench().state(id), resolution);
  }

  private boolean resolve(String id, long token, MarkState state, Resolution resolution) {
    return bench().store().resolve(bench().key(id), token, state, resolution);
  }

  @Test
  default void reopening_a_dead_message_clears_attempts_and_doubt() {
    Claim first = bench().settled("m", new Verdict.Retry(Duration.ZERO, true));
    Claim dead = bench().held("m");
    bench().settle(dead, DEAD);

    assertThat(resolve("m", dead.token(), Resolution.REOPEN)).isTrue();
    Claim reopened = bench().held("m");

    assertThat(reopened.attempt()).isEqualTo(new Attempt(1, false, true, false));
    assertThat(List.of(first.token(), dead.token(), reopened.token()))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  default void reopening_makes_every_settled_message_due_at_once() {
    for (Verdict verdict : List.of(DONE, DEAD, RETRY_LATER, RELEASE)) {
      String id = verdict.toString();
      Claim claim = bench().settled(id, verdict);

      assertThat(resolve(id, claim.token(), Resolution.REOPEN)).as(id).isTrue();
      assertThat(bench().mark(id).claim().token()).as(id).isGreaterThan(claim.token());
      assertThat(bench().claim(bench().request(id))).as(id).isInstanceOf(Acquired.class);
    }
  }

  @Test
  default void forcing_done_ends_what_is_open_or_dead() {
    for (Verdict verdict : List.of(DEAD, RETRY_LATER, RELEASE)) {
      String id = verdict.toString();
      Claim claim = bench().settled(id, verdict);

      assertThat(resolve(id, claim.token(), Resolution.FORCE_DONE)).as(id).isTrue();
      assertThat(bench().claim(bench().request(id)))
          .as(id)
          .isInstanceOfSatisfying(
              ClaimAnswer.Done.class, done -> assertThat(done.result()).isEqualTo(Bytes.EMPTY));
    }
  }

  @Test
  default void forcing_done_what_is_done_changes_nothing() {
    Claim claim = bench().settled("m", new Verdict.Done(Bytes.utf8("kept")));
    Mark before = bench().mark("m");

    assertThat(resolve("m", claim.token(), Resolution.FORCE_DONE)).isFalse();
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @Test
  default void a_living_lease_cannot_be_resolved_away() {
    Claim claim = bench().held("m");

    assertThat(resolve("m", claim.token(), Resolution.REOPEN)).isFalse();
    assertThat(resolve("m", claim.token(), Resolution.FORCE_DONE)).isFalse();
    assertThat(bench().mark("m").claim()).isEqualTo(claim);
  }

  @Test
  default void resolving_a_stale_claim_fences_its_owner() {
    Claim late = bench().held("m");
    bench().leaseIsOver();

    assertThat(resolve("m", late.token(), Resolution.FORCE_DONE)).isTrue();

    assertThat(bench().settle(late, DONE)).isEqualTo(new SettleAnswer.Fenced(MarkState.DONE));
    assertThat(bench().mark("m").claim().token()).isGreaterThan(late.token());
  }

  @Test
  default void a_mark_that_moved_on_since_the_operator_looked_is_left_alone() {
    Claim claim = bench().settled("m", DEAD);
    Mark before = bench().mark("m");

    assertThat(resolve("m", claim.token() - 1, Resolution.REOPEN)).isFalse();
    assertThat(resolve("m", claim.token() + 1, Resolution.FORCE_DONE)).isFalse();
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @Test
  default void a_mark_that_its_owner_settles_done_between_look_and_decision_stays_done() {
    for (Resolution resolution :
        List.of(Resolution.REOPEN, Resolution.REOPEN_ANY_PAYLOAD, Resolution.FORCE_DONE)) {
      String id = resolution.toString();
      Claim claim = bench().settled(id, DONE);
      Mark done = bench().mark(id);

      assertThat(resolve(id, claim.token(), MarkState.PROCESSING, resolution))
          .as(id)
          .isFalse();
      assertThat(resolve(id, claim.token(), MarkState.PROCESSING, resolution.force()))
          .as(id)
          .isFalse();
      assertThat(bench().mark(id)).as(id).isEqualTo(done);
    }
  }

  @Test
  default void a_stale_claim_whose_late_owner_says_that_nothing_happened_is_not_forced_done() {
    for (Verdict verdict : List.of(RETRY_LATER, RELEASE, DEAD)) {
      String id = verdict.toString();
      Claim late = bench().held(id);
      bench().leaseIsOver();
      bench().settle(late, verdict);
      Mark settled = bench().mark(id);

      assertThat(resolve(id, late.token(), MarkState.PROCESSING, Resolution.FORCE_DONE))
          .as(id)
          .isFalse();
      assertThat(bench().mark(id)).as(id).isEqualTo(settled);
    }
  }

  @Test
  default void there_is_nothing_to_resolve_where_there_is_no_mark() {
    assertThat(resolve("m", 0, Resolution.FORCE_DONE)).isFalse();
    assertThat(resolve("m", 0, Resolution.REOPEN)).isFalse();
    assertThat(resolve("m", 0, MarkState.DEAD, Resolution.REOPEN)).isFalse();
    assertThat(bench().state("m")).isEqualTo(MarkState.ABSENT);
  }

  private Claim settledWithAnotherPayload(String id, Verdict verdict) {
    ClaimRequest other = Bench.withPayload(bench().request(id), "another payload");
    Claim claim = bench().acquire(other).claim();
    bench().settle(claim, verdict);
    return claim;
  }

  @Test
  default void reopened_for_any_payload_the_genuine_message_runs_and_its_payload_counts() {
    for (Verdict verdict : List.of(RECEIPT, DEAD, RETRY_LATER, RELEASE)) {
      String id = verdict.toString();
      Claim first = settledWithAnotherPayload(id, verdict);
      ClaimRequest genuine = bench().request(id);
      assertThat(bench().claim(genuine)).as(id).isInstanceOf(ClaimAnswer.Conflict.class);

      assertThat(resolve(id, first.token(), Resolution.REOPEN_ANY_PAYLOAD))
          .as(id)
          .isTrue();
      Claim claim = bench().held(id);

      assertThat(claim.attempt()).as(id).isEqualTo(new Attempt(1, false, true, false));
      assertThat(claim.token()).as(id).isGreaterThan(first.token());
      assertThat(bench().mark(id).claim()).as(id).isEqualTo(claim);
      assertThat(bench().claim(Bench.withPayload(bench().request(id), "another payload")))
          .as(id)
          .isEqualTo(new ClaimAnswer.Conflict(MarkState.PROCESSING));
    }
  }

  @Test
  default void a_stale_claim_is_reopened_for_any_payload() {
    Claim late = bench()
        .acquire(Bench.withPayload(bench().request("m"), "another payload"))
        .claim();
    bench().leaseIsOver();

    assertThat(resolve("m", late.token(), Resolution.REOPEN_ANY_PAYLOAD)).isTrue();

    assertThat(bench().settle(late, DONE)).isEqualTo(new SettleAnswer.Fenced(MarkState.RETRY));
    assertThat(bench().claim(bench().request("m"))).isInstanceOf(Acquired.class);
  }

  @Test
  default void done_for_any_payload_loses_the_genuine_message_of_an_id_that_another_took() {
    for (Verdict verdict : List.of(DONE, RECEIPT)) {
      String id = verdict.toString();
      Claim first = settledWithAnotherPayload(id, verdict);

      assertThat(resolve(id, first.token(), Resolution.DONE_ANY_PAYLOAD)).as(id).isTrue();

      assertThat(bench().claim(bench().request(id)))
          .as("acknowledged as a duplicate, and never ran")
          .isInstanceOfSatisfying(
              ClaimAnswer.Done.class,
              done -> assertThat(done.result()).isEqualTo(((Verdict.Done) verdict).result()));
      assertThat(bench().mark(id).claim().token()).as(id).isGreaterThan(first.token());
      assertThat(bench().mark(id).claim().fingerprint()).as(id).isEqualTo(Fingerprint.NONE);
    }
  }

  @Test
  default void done_for_any_payload_stays_for_another_retention() {
    Claim first = settledWithAnotherPayload("m", RECEIPT);
    bench().advance(bench().store().retention().minusMinutes(1));

    assertThat(resolve("m", first.token(), Resolution.DONE_ANY_PAYLOAD)).isTrue();
    bench().advance(Duration.ofMinutes(2));
    bench().purgeAll();

    assertThat(bench().claim(bench().request("m"))).isInstanceOf(ClaimAnswer.Done.class);
  }

  @Test
  default void done_for_any_payload_changes_only_what_is_done_and_compares_payloads() {
    for (Verdict verdict : List.of(DEAD, RETRY_LATER, RELEASE)) {
      String id = verdict.toString();
      Claim claim = bench().settled(id, verdict);
      Mark before = bench().mark(id);

      assertThat(resolve(id, claim.token(), Resolution.DONE_ANY_PAYLOAD.force()))
          .as(id)
          .isFalse();
      assertThat(bench().mark(id)).as(id).isEqualTo(before);
    }
    Claim done = bench().settled("done", DONE);
    assertThat(resolve("done", done.token() - 1, Resolution.DONE_ANY_PAYLOAD)).isFalse();
    assertThat(resolve("done", done.token(), Resolution.DONE_ANY_PAYLOAD)).isTrue();
    Mark already = bench().mark("done");

    assertThat(resolve("done", already.claim().token(), Resolution.DONE_ANY_PAYLOAD))
        .isFalse();
    assertThat(bench().mark("done")).isEqualTo(already);
  }

  @Test
  default void a_living_lease_is_broken_by_force_only_and_its_owner_is_fenced() {
    for (Resolution resolution :
        List.of(Resolution.REOPEN, Resolution.REOPEN_ANY_PAYLOAD, Resolution.FORCE_DONE)) {
      String id = resolution.toString();
      Claim claim = bench().held(id);
      assertThat(resolve(id, claim.token(), resolution)).as(id).isFalse();
      assertThat(resolve(id, claim.token() - 1, resolution.force())).as(id).isFalse();

      assertThat(resolve(id, claim.token(), resolution.force())).as(id).isTrue();

      MarkState state = resolution.equals(Resolution.FORCE_DONE) ? MarkState.DONE : MarkState.RETRY;
      assertThat(bench().renew(claim)).as(id).isEqualTo(new RenewAnswer.Fenced(state));
      assertThat(bench().settle(claim, DONE)).as(id).isEqualTo(new SettleAnswer.Fenced(state));
      assertThat(bench().mark(id).claim().token()).as(id).isGreaterThan(claim.token());
    }
  }
}
