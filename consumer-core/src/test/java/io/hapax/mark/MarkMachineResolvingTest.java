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

  static List<Resolution> decisionsOnDoneMarks() {
    return List.of(Resolution.DONE_ANY_PAYLOAD, Resolution.FORGET);
  }

  @ParameterizedTest
  @MethodSource("decisionsOnDoneMarks")
  void only_a_done_mark_may_be_forgotten_or_done_for_any_payload_and_that_once(
      Resolution resolution) {
    for (Mark mark : List.of(LEASED, EXPIRED, NOT_DUE, DUE, DEAD)) {
      assertUnchanged(mark, resolve(mark, resolution.force()), false);
    }
    Mark already = resolve(DONE, resolution).next();
    assertUnchanged(already, resolve(already, resolution), false);
  }
}
