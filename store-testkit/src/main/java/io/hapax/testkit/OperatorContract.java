package io.hapax.testkit;

import static io.hapax.testkit.Bench.DEAD;
import static io.hapax.testkit.Bench.DONE;
import static io.hapax.testkit.Bench.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_ANY;
import static org.junit.jupiter.params.provider.EnumSource.Mode.MATCH_NONE;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Decisions of an operator. */
interface OperatorContract extends OnBench {

  private boolean resolve(String id, long token, Resolution resolution) {
    return resolve(id, token, bench().state(id), resolution);
  }

  private boolean resolve(String id, long token, MarkState state, Resolution resolution) {
    return store().resolve(bench().key(id), token, state, resolution);
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

  @ParameterizedTest
  @EnumSource
  default void reopening_a_settled_message_makes_it_due_at_once(SettledAs settled) {
    Claim claim = bench().settled("m", settled.verdict());

    assertThat(resolve("m", claim.token(), Resolution.REOPEN)).isTrue();

    assertThat(bench().mark("m").claim().token()).isGreaterThan(claim.token());
    assertThat(bench().claim(bench().request("m"))).isInstanceOf(Acquired.class);
  }

  @ParameterizedTest
  @EnumSource(mode = MATCH_NONE, names = "DONE.*")
  default void forcing_done_settles_an_open_or_dead_message(SettledAs settled) {
    Claim claim = bench().settled("m", settled.verdict());

    assertThat(resolve("m", claim.token(), Resolution.FORCE_DONE)).isTrue();

    assertThat(bench().claim(bench().request("m")))
        .isInstanceOfSatisfying(
            ClaimAnswer.Done.class, done -> assertThat(done.result()).isEqualTo(Bytes.EMPTY));
  }

  @Test
  default void forcing_done_what_is_done_changes_nothing() {
    Claim claim = bench().settled("m", new Verdict.Done(Bytes.utf8("kept")));
    Mark before = bench().mark("m");

    assertThat(resolve("m", claim.token(), Resolution.FORCE_DONE)).isFalse();
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @Test
  default void a_living_lease_cannot_be_resolved() {
    Claim claim = bench().held("m");

    assertThat(resolve("m", claim.token(), Resolution.REOPEN)).isFalse();
    assertThat(resolve("m", claim.token(), Resolution.FORCE_DONE)).isFalse();
    assertThat(bench().mark("m").claim()).isEqualTo(claim);
  }

  @Test
  default void resolving_a_stale_claim_fences_its_owner() {
    Claim late = bench().held("m");
    bench().expireLease();

    assertThat(resolve("m", late.token(), Resolution.FORCE_DONE)).isTrue();

    assertThat(bench().settle(late, DONE)).isEqualTo(new SettleAnswer.Fenced(MarkState.DONE));
    assertThat(bench().mark("m").claim().token()).isGreaterThan(late.token());
  }

  @Test
  default void a_mark_that_changed_since_the_operator_looked_is_left_alone() {
    Claim claim = bench().settled("m", DEAD);
    Mark before = bench().mark("m");

    assertThat(resolve("m", claim.token() - 1, Resolution.REOPEN)).isFalse();
    assertThat(resolve("m", claim.token() + 1, Resolution.FORCE_DONE)).isFalse();
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @Test
  default void a_mark_settled_done_since_the_operator_looked_stays_done() {
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

  @ParameterizedTest
  @EnumSource(mode = MATCH_NONE, names = "DONE.*")
  default void a_stale_claim_that_its_owner_settles_open_or_dead_is_not_forced(SettledAs late) {
    Claim claim = bench().held("m");
    bench().expireLease();
    bench().settle(claim, late.verdict());
    Mark settled = bench().mark("m");

    assertThat(resolve("m", claim.token(), MarkState.PROCESSING, Resolution.FORCE_DONE))
        .isFalse();
    assertThat(bench().mark("m")).isEqualTo(settled);
  }

  @Test
  default void an_absent_mark_cannot_be_resolved() {
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

  @ParameterizedTest
  @EnumSource
  default void reopened_for_any_payload_the_genuine_message_runs(SettledAs settled) {
    Claim first = settledWithAnotherPayload("m", settled.verdict());
    ClaimRequest genuine = bench().request("m");
    assertThat(bench().claim(genuine)).isInstanceOf(ClaimAnswer.Conflict.class);

    assertThat(resolve("m", first.token(), Resolution.REOPEN_ANY_PAYLOAD)).isTrue();

    Claim claim = bench().held("m");
    assertThat(claim.attempt()).isEqualTo(new Attempt(1, false, true, false));
    assertThat(claim.token()).isGreaterThan(first.token());
    assertThat(bench().mark("m").claim()).isEqualTo(claim);
    assertThat(bench().claim(Bench.withPayload(bench().request("m"), "another payload")))
        .isEqualTo(new ClaimAnswer.Conflict(MarkState.PROCESSING));
  }

  @Test
  default void a_stale_claim_is_reopened_for_any_payload() {
    Claim late = bench()
        .acquire(Bench.withPayload(bench().request("m"), "another payload"))
        .claim();
    bench().expireLease();

    assertThat(resolve("m", late.token(), Resolution.REOPEN_ANY_PAYLOAD)).isTrue();

    assertThat(bench().settle(late, DONE)).isEqualTo(new SettleAnswer.Fenced(MarkState.RETRY));
    assertThat(bench().claim(bench().request("m"))).isInstanceOf(Acquired.class);
  }

  @ParameterizedTest
  @EnumSource(mode = MATCH_ANY, names = "DONE.*")
  default void done_for_any_payload_never_runs_the_genuine_message(SettledAs settled) {
    Claim first = settledWithAnotherPayload("m", settled.verdict());

    assertThat(resolve("m", first.token(), Resolution.DONE_ANY_PAYLOAD)).isTrue();

    Bytes result = ((Verdict.Done) settled.verdict()).result();
    assertThat(bench().claim(bench().request("m")))
        .as("acknowledged as a duplicate")
        .isInstanceOfSatisfying(
            ClaimAnswer.Done.class, done -> assertThat(done.result()).isEqualTo(result));
    assertThat(bench().mark("m").claim().token()).isGreaterThan(first.token());
    assertThat(bench().mark("m").claim().fingerprint()).isEqualTo(Fingerprint.NONE);
  }

  @Test
  default void done_for_any_payload_stays_for_another_retention() {
    Claim first = settledWithAnotherPayload("m", RECEIPT);
    bench().advance(store().retention().minusMinutes(1));

    assertThat(resolve("m", first.token(), Resolution.DONE_ANY_PAYLOAD)).isTrue();
    bench().advance(Duration.ofMinutes(2));
    bench().purgeAll();

    assertThat(bench().claim(bench().request("m"))).isInstanceOf(ClaimAnswer.Done.class);
  }

  @ParameterizedTest
  @EnumSource(mode = MATCH_NONE, names = "DONE.*")
  default void done_for_any_payload_leaves_open_and_dead_messages_alone(SettledAs settled) {
    Claim claim = bench().settled("m", settled.verdict());
    Mark before = bench().mark("m");

    assertThat(resolve("m", claim.token(), Resolution.DONE_ANY_PAYLOAD.force())).isFalse();
    assertThat(bench().mark("m")).isEqualTo(before);
  }

  @Test
  default void done_for_any_payload_needs_the_current_token_and_happens_once() {
    Claim done = bench().settled("m", DONE);

    assertThat(resolve("m", done.token() - 1, Resolution.DONE_ANY_PAYLOAD)).isFalse();
    assertThat(resolve("m", done.token(), Resolution.DONE_ANY_PAYLOAD)).isTrue();
    Mark already = bench().mark("m");
    assertThat(resolve("m", already.claim().token(), Resolution.DONE_ANY_PAYLOAD))
        .isFalse();
    assertThat(bench().mark("m")).isEqualTo(already);
  }

  @Test
  default void a_forgotten_message_stays_done_without_its_result() {
    Claim done = bench().settled("m", RECEIPT);

    assertThat(resolve("m", done.token() - 1, Resolution.FORGET)).isFalse();
    assertThat(resolve("m", done.token(), Resolution.FORGET)).isTrue();

    Mark forgotten = bench().mark("m");
    assertThat(forgotten.state()).isEqualTo(MarkState.DONE);
    assertThat(forgotten.detail()).isEqualTo(Bytes.EMPTY);
    assertThat(forgotten.claim().token()).isGreaterThan(done.token());
    assertThat(forgotten.claim().fingerprint()).isEqualTo(done.fingerprint());
    assertThat(bench().claim(bench().request("m")))
        .isInstanceOfSatisfying(
            ClaimAnswer.Done.class, it -> assertThat(it.result()).isEqualTo(Bytes.EMPTY));
    assertThat(resolve("m", forgotten.claim().token(), Resolution.FORGET)).isFalse();
    assertThat(bench().mark("m")).isEqualTo(forgotten);
  }

  @ParameterizedTest
  @EnumSource(mode = MATCH_NONE, names = "DONE.*")
  default void open_and_dead_messages_are_not_forgotten(SettledAs settled) {
    Claim claim = bench().settled("m", settled.verdict());
    Mark before = bench().mark("m");

    assertThat(resolve("m", claim.token(), Resolution.FORGET.force())).isFalse();
    assertThat(bench().mark("m")).isEqualTo(before);
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
