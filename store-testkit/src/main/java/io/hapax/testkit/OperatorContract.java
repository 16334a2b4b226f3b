package io.hapax.testkit;

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
interface OperatorContract extends Bench {

  private boolean resolve(String id, long token, Resolution resolution) {
    return resolve(id, token, state(id), resolution);
  }

  private boolean resolve(String id, long token, MarkState state, Resolution resolution) {
    return store().resolve(key(id), token, state, resolution);
  }

  private void assertRefused(String id, long token, MarkState state, Resolution... resolutions) {
    Mark before = mark(id);
    for (Resolution resolution : resolutions) {
      assertThat(resolve(id, token, state, resolution)).as("%s", resolution).isFalse();
      assertThat(mark(id)).as("%s", resolution).isEqualTo(before);
    }
  }

  private void assertRefused(String id, long token, Resolution... resolutions) {
    assertRefused(id, token, state(id), resolutions);
  }

  private void assertDone(String id, Bytes result) {
    assertThat(claim(request(id)))
        .isInstanceOfSatisfying(
            ClaimAnswer.Done.class, done -> assertThat(done.result()).isEqualTo(result));
  }

  @Test
  default void reopening_a_dead_message_clears_attempts_and_doubt() {
    Claim first = settled("m", new Verdict.Retry(Duration.ZERO, true));
    Claim dead = held("m");
    settle(dead, DEAD);

    assertThat(resolve("m", dead.token(), Resolution.REOPEN)).isTrue();
    Claim reopened = held("m");

    assertThat(reopened.attempt()).isEqualTo(new Attempt(1, false, true, false));
    assertThat(List.of(first.token(), dead.token(), reopened.token()))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  default void reopening_a_settled_message_makes_it_due_at_once(SettledAs settled) {
    Claim claim = settled("m", settled.verdict());

    assertThat(resolve("m", claim.token(), Resolution.REOPEN)).isTrue();

    assertThat(mark("m").claim().token()).isGreaterThan(claim.token());
    assertThat(claim(request("m"))).isInstanceOf(Acquired.class);
  }

  @Test
  default void a_mark_that_changed_since_the_operator_looked_is_left_alone() {
    Claim claim = settled("m", DEAD);

    assertRefused("m", claim.token() - 1, Resolution.REOPEN);
    assertRefused("m", claim.token() + 1, Resolution.FORCE_DONE);
  }

  @Test
  default void a_mark_settled_done_since_the_operator_looked_stays_done() {
    for (Resolution resolution :
        List.of(Resolution.REOPEN, Resolution.REOPEN_ANY_PAYLOAD, Resolution.FORCE_DONE)) {
      String id = resolution.toString();
      Claim claim = settled(id, DONE);

      assertRefused(id, claim.token(), MarkState.PROCESSING, resolution, resolution.force());
    }
  }

  private Claim settledWithAnotherPayload(String id, Verdict verdict) {
    ClaimRequest other = Bench.withPayload(request(id), "another payload");
    Claim claim = acquire(other).claim();
    settle(claim, verdict);
    return claim;
  }

  @ParameterizedTest
  @EnumSource
  default void reopened_for_any_payload_the_genuine_message_runs(SettledAs settled) {
    Claim first = settledWithAnotherPayload("m", settled.verdict());
    ClaimRequest genuine = request("m");
    assertThat(claim(genuine)).isInstanceOf(ClaimAnswer.Conflict.class);

    assertThat(resolve("m", first.token(), Resolution.REOPEN_ANY_PAYLOAD)).isTrue();

    Claim claim = held("m");
    assertThat(claim.attempt()).isEqualTo(new Attempt(1, false, true, false));
    assertThat(claim.token()).isGreaterThan(first.token());
    assertThat(mark("m").claim()).isEqualTo(claim);
    assertThat(claim(Bench.withPayload(request("m"), "another payload")))
        .isEqualTo(new ClaimAnswer.Conflict(MarkState.PROCESSING));
  }

  @ParameterizedTest
  @EnumSource(mode = MATCH_ANY, names = "DONE.*")
  default void done_for_any_payload_never_runs_the_genuine_message(SettledAs settled) {
    Claim first = settledWithAnotherPayload("m", settled.verdict());

    assertThat(resolve("m", first.token(), Resolution.DONE_ANY_PAYLOAD)).isTrue();

    assertDone("m", ((Verdict.Done) settled.verdict()).result());
    assertThat(mark("m").claim().token()).isGreaterThan(first.token());
    assertThat(mark("m").claim().fingerprint()).isEqualTo(Fingerprint.NONE);
  }

  @Test
  default void done_for_any_payload_stays_for_another_retention() {
    Claim first = settledWithAnotherPayload("m", RECEIPT);
    advance(store().retention().minusMinutes(1));

    assertThat(resolve("m", first.token(), Resolution.DONE_ANY_PAYLOAD)).isTrue();
    advance(Duration.ofMinutes(2));
    purgeAll();

    assertThat(claim(request("m"))).isInstanceOf(ClaimAnswer.Done.class);
  }

  @ParameterizedTest
  @EnumSource(mode = MATCH_NONE, names = "DONE.*")
  default void open_and_dead_messages_are_neither_forgotten_nor_done_for_any_payload(
      SettledAs settled) {
    Claim claim = settled("m", settled.verdict());

    assertRefused(
        "m", claim.token(), Resolution.DONE_ANY_PAYLOAD.force(), Resolution.FORGET.force());
  }

  @Test
  default void a_forgotten_message_stays_done_without_its_result() {
    Claim done = settled("m", RECEIPT);

    assertRefused("m", done.token() - 1, Resolution.FORGET);
    assertThat(resolve("m", done.token(), Resolution.FORGET)).isTrue();

    Mark forgotten = mark("m");
    assertThat(forgotten.state()).isEqualTo(MarkState.DONE);
    assertThat(forgotten.detail()).isEqualTo(Bytes.EMPTY);
    assertThat(forgotten.claim().token()).isGreaterThan(done.token());
    assertThat(forgotten.claim().fingerprint()).isEqualTo(done.fingerprint());
    assertDone("m", Bytes.EMPTY);
    assertRefused("m", forgotten.claim().token(), Resolution.FORGET);
  }

  @Test
  default void a_living_lease_is_broken_by_force_only_and_its_owner_is_fenced() {
    for (Resolution resolution :
        List.of(Resolution.REOPEN, Resolution.REOPEN_ANY_PAYLOAD, Resolution.FORCE_DONE)) {
      String id = resolution.toString();
      Claim claim = held(id);
      assertRefused(id, claim.token(), resolution);
      assertRefused(id, claim.token() - 1, resolution.force());

      assertThat(resolve(id, claim.token(), resolution.force())).as(id).isTrue();

      MarkState state = resolution.equals(Resolution.FORCE_DONE) ? MarkState.DONE : MarkState.RETRY;
      assertThat(renew(claim)).as(id).isEqualTo(new RenewAnswer.Fenced(state));
      assertThat(settle(claim, DONE)).as(id).isEqualTo(new SettleAnswer.Fenced(state));
      assertThat(mark(id).claim().token()).as(id).isGreaterThan(claim.token());
    }
  }
}
