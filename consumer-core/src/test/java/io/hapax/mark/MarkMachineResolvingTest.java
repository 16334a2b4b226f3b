package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Conflict;
import io.hapax.mark.ClaimAnswer.TooLate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the machine lets an operator do, in every row of its table. */
@DisplayName("the mark machine: operators resolve")
class MarkMachineResolvingTest extends SampleMarks {

  static List<Mark> marksAnOperatorMayChange() {
    return List.of(EXPIRED, NOT_DUE, DUE, DEAD);
  }

  @ParameterizedTest
  @MethodSource("io.hapax.mark.SampleMarks#marksThatStand")
  void mark_of_another_token_or_state_is_left_as_it_is(Mark mark) {
    long token = mark.claim().token();
    for (Resolution.Kind kind : Resolution.Kind.values()) {
      Resolution forced = new Resolution(kind, true);
      for (MarkState state : MarkState.values()) {
        long seen = state == mark.state() ? token - 1 : token;
        assertUnchanged(mark, MarkMachine.resolve(mark, seen, state, forced, NOW), false);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("marksAnOperatorMayChange")
  void new_token_fences_the_owner_of_the_old_one(Mark mark) {
    for (Transition<Boolean> resolved :
        List.of(reopen(mark), forceDone(mark), resolve(mark, Resolution.REOPEN_ANY_PAYLOAD))) {
      Mark next = resolved.next();
      assertThat(resolved.answer()).isTrue();
      assertThat(next.claim().token()).isGreaterThan(mark.claim().token());
      assertUnchanged(next, renew(next, MY_CLAIM), new RenewAnswer.Fenced(next.state()));
      Stream.of(DONE_VERDICT, RETRY_VERDICT, RELEASE_VERDICT, DEAD_VERDICT)
          .forEach(verdict -> assertUnchanged(
              next, settle(next, MY_CLAIM, verdict), new SettleAnswer.Fenced(next.state())));
    }
  }

  @Test
  void doubt_and_attempts_are_cleared() {
    Mark doubtful = processing(new Attempt(5, true, true, true), NOW.minusSeconds(1));
    for (Mark next : List.of(reopen(doubtful).next(), forceDone(doubtful).next())) {
      assertThat(next.claim().attempt().inDoubt()).isFalse();
      assertThat(next.claim().attempt().number()).isZero();
    }
  }

  @Test
  void reopened_message_is_claimed_as_its_first_attempt() {
    Mark dead = new Mark(
        MY_CLAIM.with(new Attempt(5, true, true, true)),
        MarkState.DEAD,
        NOW,
        NOW,
        Bytes.utf8("too many attempts"));
    ClaimAnswer.Acquired again = acquired(claim(reopen(dead).next(), shared(OTHER)));
    assertThat(again.claim().attempt()).isEqualTo(FIRST);
    assertThat(again.recovered()).isFalse();
  }

  @Test
  void reopened_message_does_not_open_for_a_replayed_claim_of_its_last_owner() {
    Mark reopened = reopen(DEAD).next();
    assertUnchanged(reopened, claim(reopened, shared(MINE)), new TooLate(NOW));
  }

  @Test
  void payload_of_a_resolved_mark_is_still_compared() {
    ClaimRequest other = withPayload(shared(OTHER), OTHER_PAYLOAD);
    assertThat(claim(reopen(DONE).next(), other).answer()).isEqualTo(new Conflict(MarkState.RETRY));
    assertThat(claim(forceDone(DEAD).next(), other).answer())
        .isEqualTo(new Conflict(MarkState.DONE));
  }

  static List<Mark> marksThatMayBeReopened() {
    return List.of(EXPIRED, NOT_DUE, DUE, DONE, DEAD);
  }

  @ParameterizedTest
  @MethodSource("marksThatMayBeReopened")
  void an_operator_may_reopen_every_mark_that_nobody_holds(Mark mark) {
    Mark next = reopen(mark).next();

    assertThat(next.state()).isEqualTo(MarkState.RETRY);
    assertThat(next.until()).isEqualTo(NOW);
    assertThat(next.detail()).isEqualTo(Bytes.EMPTY);
  }

  @ParameterizedTest
  @MethodSource("marksAnOperatorMayChange")
  void an_operator_may_force_every_mark_done_that_nobody_holds(Mark mark) {
    Mark next = forceDone(mark).next();

    assertThat(next.state()).isEqualTo(MarkState.DONE);
    assertThat(next.until()).isEqualTo(NOW);
    assertUnchanged(next, forceDone(next), false);
  }

  @ParameterizedTest
  @MethodSource("marksThatMayBeReopened")
  void reopened_for_any_payload_the_next_payload_runs_and_counts(Mark mark) {
    ClaimRequest genuine = withPayload(shared(OTHER), OTHER_PAYLOAD);

    Mark reopened = resolve(mark, Resolution.REOPEN_ANY_PAYLOAD).next();
    Transition<ClaimAnswer> claimed = claim(reopened, genuine);

    assertThat(reopened.state()).isEqualTo(MarkState.RETRY);
    assertThat(acquired(claimed).claim().attempt()).isEqualTo(FIRST);
    assertThat(claim(claimed.next(), shared(MINE)).answer())
        .as("the payload that was there first")
        .isEqualTo(new Conflict(MarkState.PROCESSING));
  }

  @Test
  void done_for_any_payload_stays_done_and_keeps_its_result() {
    ClaimRequest other = withPayload(shared(OTHER), OTHER_PAYLOAD);

    Transition<Boolean> resolved = resolve(DONE, Resolution.DONE_ANY_PAYLOAD);

    assertThat(resolved.answer()).isTrue();
    assertThat(resolved.next().claim().token()).isGreaterThan(DONE.claim().token());
    assertThat(claim(resolved.next(), other).answer())
        .isEqualTo(new ClaimAnswer.Done(RECEIPT, NOW, false));
  }

  @Test
  void done_for_any_payload_changes_only_done_marks_with_a_fingerprint() {
    for (Mark mark : List.of(LEASED, EXPIRED, NOT_DUE, DUE, DEAD)) {
      assertUnchanged(mark, resolve(mark, Resolution.DONE_ANY_PAYLOAD.force()), false);
    }
    Mark already = resolve(DONE, Resolution.DONE_ANY_PAYLOAD).next();
    assertUnchanged(already, resolve(already, Resolution.DONE_ANY_PAYLOAD), false);
  }

  @Test
  void a_forgotten_mark_stays_done_without_its_result() {
    Mark forgotten = resolve(DONE, Resolution.FORGET).next();

    assertThat(forgotten.claim().token()).isGreaterThan(DONE.claim().token());
    assertThat(forgotten.claim().fingerprint()).isEqualTo(DONE.claim().fingerprint());
    assertThat(claim(forgotten, shared(OTHER)).answer())
        .isEqualTo(new ClaimAnswer.Done(Bytes.EMPTY, NOW, false));
  }

  @Test
  void only_a_done_mark_with_a_result_is_forgotten() {
    for (Mark mark : List.of(LEASED, EXPIRED, NOT_DUE, DUE, DEAD)) {
      assertUnchanged(mark, resolve(mark, Resolution.FORGET.force()), false);
    }
    Mark already = resolve(DONE, Resolution.FORGET).next();
    assertUnchanged(already, resolve(already, Resolution.FORGET), false);
  }

  @Test
  void a_living_lease_is_broken_by_force_only_and_its_owner_is_fenced() {
    for (Resolution resolution :
        List.of(Resolution.REOPEN, Resolution.FORCE_DONE, Resolution.REOPEN_ANY_PAYLOAD)) {
      assertUnchanged(LEASED, resolve(LEASED, resolution), false);

      Mark broken = resolve(LEASED, resolution.force()).next();

      assertThat(broken.leasedAt(NOW)).isFalse();
      assertUnchanged(broken, renew(broken, MY_CLAIM), new RenewAnswer.Fenced(broken.state()));
      assertUnchanged(
          broken, settle(broken, MY_CLAIM, DONE_VERDICT), new SettleAnswer.Fenced(broken.state()));
    }
  }
}
