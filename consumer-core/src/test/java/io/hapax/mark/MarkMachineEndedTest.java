package io.hapax.mark;

import static io.hapax.mark.SampleMarks.DEAD;
import static io.hapax.mark.SampleMarks.DEAD_VERDICT;
import static io.hapax.mark.SampleMarks.DONE;
import static io.hapax.mark.SampleMarks.DONE_VERDICT;
import static io.hapax.mark.SampleMarks.FIRST;
import static io.hapax.mark.SampleMarks.LATE_CLAIM;
import static io.hapax.mark.SampleMarks.MINE;
import static io.hapax.mark.SampleMarks.MY_CLAIM;
import static io.hapax.mark.SampleMarks.NOW;
import static io.hapax.mark.SampleMarks.OTHER;
import static io.hapax.mark.SampleMarks.RECEIPT;
import static io.hapax.mark.SampleMarks.RELEASE_VERDICT;
import static io.hapax.mark.SampleMarks.RETRY_VERDICT;
import static io.hapax.mark.SampleMarks.SETTLED;
import static io.hapax.mark.SampleMarks.SETTLED_ANSWER;
import static io.hapax.mark.SampleMarks.assertUnchanged;
import static io.hapax.mark.SampleMarks.claim;
import static io.hapax.mark.SampleMarks.complete;
import static io.hapax.mark.SampleMarks.fenced;
import static io.hapax.mark.SampleMarks.forceDone;
import static io.hapax.mark.SampleMarks.renew;
import static io.hapax.mark.SampleMarks.renewFenced;
import static io.hapax.mark.SampleMarks.reopen;
import static io.hapax.mark.SampleMarks.settle;
import static io.hapax.mark.SampleMarks.shared;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rows of the machine's table for DONE and DEAD: a class for each, one test for each cell. */
@DisplayName("the mark machine, cell by cell: DONE and DEAD")
class MarkMachineEndedTest {

  private static final ClaimAnswer OWN_DONE = new ClaimAnswer.Done(RECEIPT, SETTLED, true);
  private static final ClaimAnswer OTHERS_DONE = new ClaimAnswer.Done(RECEIPT, SETTLED, false);
  private static final ClaimAnswer DEAD_ANSWER = new ClaimAnswer.Dead("no such customer");

  @Nested
  @DisplayName("DONE")
  class IsDone {

    @Test
    void claim_is_answered_done() {
      assertUnchanged(DONE, claim(DONE, shared(OTHER)), OTHERS_DONE);
      assertUnchanged(DONE, claim(DONE, shared(MINE)), OWN_DONE);
    }

    @Test
    void done_sent_again_is_settled() {
      assertUnchanged(DONE, settle(DONE, MY_CLAIM, DONE_VERDICT), SETTLED_ANSWER);
    }

    @Test
    void taken_back_by_its_last_owner_is_processing_in_doubt_and_without_a_lease() {
      Mark next = MarkMachine.takeBack(DONE, MY_CLAIM, NOW).next();

      assertThat(next.state()).isEqualTo(MarkState.PROCESSING);
      assertThat(next.claim()).isEqualTo(MY_CLAIM.with(FIRST.doubtful()));
      assertThat(next.leasedAt(NOW)).isFalse();
    }

    @Test
    void taken_back_by_another_owner_stays() {
      assertUnchanged(DONE, MarkMachine.takeBack(DONE, LATE_CLAIM, NOW), false);
    }

    @Test
    void renew_of_its_last_owner_is_fenced() {
      assertUnchanged(DONE, renew(DONE, MY_CLAIM), renewFenced(MarkState.DONE));
    }

    @Test
    void retry_of_its_last_owner_is_fenced() {
      assertUnchanged(DONE, settle(DONE, MY_CLAIM, RETRY_VERDICT), fenced(MarkState.DONE));
    }

    @Test
    void release_of_its_last_owner_is_fenced() {
      assertUnchanged(DONE, settle(DONE, MY_CLAIM, RELEASE_VERDICT), fenced(MarkState.DONE));
    }

    @Test
    void dead_of_its_last_owner_is_fenced() {
      assertUnchanged(DONE, settle(DONE, MY_CLAIM, DEAD_VERDICT), fenced(MarkState.DONE));
    }

    @Test
    void renew_of_a_stranger_is_fenced() {
      assertUnchanged(DONE, renew(DONE, LATE_CLAIM), renewFenced(MarkState.DONE));
    }

    @Test
    void done_of_a_stranger_is_fenced() {
      assertUnchanged(DONE, settle(DONE, LATE_CLAIM, DONE_VERDICT), fenced(MarkState.DONE));
    }

    @Test
    void retry_of_a_stranger_is_fenced() {
      assertUnchanged(DONE, settle(DONE, LATE_CLAIM, RETRY_VERDICT), fenced(MarkState.DONE));
    }

    @Test
    void release_of_a_stranger_is_fenced() {
      assertUnchanged(DONE, settle(DONE, LATE_CLAIM, RELEASE_VERDICT), fenced(MarkState.DONE));
    }

    @Test
    void dead_of_a_stranger_is_fenced() {
      assertUnchanged(DONE, settle(DONE, LATE_CLAIM, DEAD_VERDICT), fenced(MarkState.DONE));
    }

    @Test
    void complete_is_answered_done() {
      assertUnchanged(DONE, complete(DONE, shared(OTHER)), OTHERS_DONE);
      assertUnchanged(DONE, complete(DONE, shared(MINE)), OWN_DONE);
    }

    @Test
    void an_operator_may_reopen_it() {
      Mark next = reopen(DONE).next();
      assertThat(next.state()).isEqualTo(MarkState.RETRY);
      assertThat(next.detail()).isEqualTo(Bytes.EMPTY);
    }

    @Test
    void an_operator_need_not_force_it_done() {
      assertUnchanged(DONE, forceDone(DONE), false);
    }
  }

  @Nested
  @DisplayName("DEAD")
  class IsDead {

    @Test
    void claim_is_answered_dead() {
      assertUnchanged(DEAD, claim(DEAD, shared(OTHER)), DEAD_ANSWER);
      assertUnchanged(DEAD, claim(DEAD, shared(MINE)), DEAD_ANSWER);
    }

    @Test
    void dead_sent_again_is_settled() {
      assertUnchanged(DEAD, settle(DEAD, MY_CLAIM, DEAD_VERDICT), SETTLED_ANSWER);
    }

    @Test
    void renew_of_its_last_owner_is_fenced() {
      assertUnchanged(DEAD, renew(DEAD, MY_CLAIM), renewFenced(MarkState.DEAD));
    }

    @Test
    void done_of_its_last_owner_is_fenced() {
      assertUnchanged(DEAD, settle(DEAD, MY_CLAIM, DONE_VERDICT), fenced(MarkState.DEAD));
    }

    @Test
    void retry_of_its_last_owner_is_fenced() {
      assertUnchanged(DEAD, settle(DEAD, MY_CLAIM, RETRY_VERDICT), fenced(MarkState.DEAD));
    }

    @Test
    void release_of_its_last_owner_is_fenced() {
      assertUnchanged(DEAD, settle(DEAD, MY_CLAIM, RELEASE_VERDICT), fenced(MarkState.DEAD));
    }

    @Test
    void renew_of_a_stranger_is_fenced() {
      assertUnchanged(DEAD, renew(DEAD, LATE_CLAIM), renewFenced(MarkState.DEAD));
    }

    @Test
    void done_of_a_stranger_is_fenced() {
      assertUnchanged(DEAD, settle(DEAD, LATE_CLAIM, DONE_VERDICT), fenced(MarkState.DEAD));
    }

    @Test
    void retry_of_a_stranger_is_fenced() {
      assertUnchanged(DEAD, settle(DEAD, LATE_CLAIM, RETRY_VERDICT), fenced(MarkState.DEAD));
    }

    @Test
    void release_of_a_stranger_is_fenced() {
      assertUnchanged(DEAD, settle(DEAD, LATE_CLAIM, RELEASE_VERDICT), fenced(MarkState.DEAD));
    }

    @Test
    void dead_of_a_stranger_is_fenced() {
      assertUnchanged(DEAD, settle(DEAD, LATE_CLAIM, DEAD_VERDICT), fenced(MarkState.DEAD));
    }

    @Test
    void complete_is_answered_dead() {
      assertUnchanged(DEAD, complete(DEAD, shared(OTHER)), DEAD_ANSWER);
      assertUnchanged(DEAD, complete(DEAD, shared(MINE)), DEAD_ANSWER);
    }

    @Test
    void an_operator_may_reopen_it() {
      Mark next = reopen(DEAD).next();
      assertThat(next.state()).isEqualTo(MarkState.RETRY);
      assertThat(next.detail()).isEqualTo(Bytes.EMPTY);
    }

    @Test
    void an_operator_may_force_it_done() {
      assertThat(forceDone(DEAD).next().state()).isEqualTo(MarkState.DONE);
    }
  }
}
