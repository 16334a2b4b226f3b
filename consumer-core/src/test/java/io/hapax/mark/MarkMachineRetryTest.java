package io.hapax.mark;

import static io.hapax.mark.SampleMarks.DEAD_VERDICT;
import static io.hapax.mark.SampleMarks.DONE_VERDICT;
import static io.hapax.mark.SampleMarks.DUE;
import static io.hapax.mark.SampleMarks.LATE_CLAIM;
import static io.hapax.mark.SampleMarks.LEASE;
import static io.hapax.mark.SampleMarks.MINE;
import static io.hapax.mark.SampleMarks.MY_CLAIM;
import static io.hapax.mark.SampleMarks.NOT_DUE;
import static io.hapax.mark.SampleMarks.NOW;
import static io.hapax.mark.SampleMarks.OTHER;
import static io.hapax.mark.SampleMarks.RELEASE_VERDICT;
import static io.hapax.mark.SampleMarks.RETRY_VERDICT;
import static io.hapax.mark.SampleMarks.SETTLED_ANSWER;
import static io.hapax.mark.SampleMarks.acquiredNow;
import static io.hapax.mark.SampleMarks.assertBecomes;
import static io.hapax.mark.SampleMarks.assertUnchanged;
import static io.hapax.mark.SampleMarks.busy;
import static io.hapax.mark.SampleMarks.claim;
import static io.hapax.mark.SampleMarks.complete;
import static io.hapax.mark.SampleMarks.done;
import static io.hapax.mark.SampleMarks.fenced;
import static io.hapax.mark.SampleMarks.forceDone;
import static io.hapax.mark.SampleMarks.renew;
import static io.hapax.mark.SampleMarks.renewFenced;
import static io.hapax.mark.SampleMarks.reopen;
import static io.hapax.mark.SampleMarks.settle;
import static io.hapax.mark.SampleMarks.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rows of the machine's table for RETRY: a class for each, one test for each cell. */
@DisplayName("the mark machine, cell by cell: RETRY")
class MarkMachineRetryTest {

  @Nested
  @DisplayName("RETRY, not due")
  class RetryNotDue {

    @Test
    void claim_is_busy_until_it_is_due() {
      assertUnchanged(NOT_DUE, claim(NOT_DUE, shared(OTHER)), busy(3));
      assertUnchanged(NOT_DUE, claim(NOT_DUE, shared(MINE)), busy(3));
    }

    @Test
    void complete_is_busy_until_it_is_due() {
      assertUnchanged(NOT_DUE, complete(NOT_DUE, shared(OTHER)), busy(3));
    }

    @Test
    void renew_of_its_last_owner_is_fenced() {
      assertUnchanged(NOT_DUE, renew(NOT_DUE, MY_CLAIM), renewFenced(MarkState.RETRY));
    }

    @Test
    void done_of_its_last_owner_is_fenced() {
      assertUnchanged(NOT_DUE, settle(NOT_DUE, MY_CLAIM, DONE_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void dead_of_its_last_owner_is_fenced() {
      assertUnchanged(NOT_DUE, settle(NOT_DUE, MY_CLAIM, DEAD_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void retry_sent_again_is_settled() {
      assertUnchanged(NOT_DUE, settle(NOT_DUE, MY_CLAIM, RETRY_VERDICT), SETTLED_ANSWER);
    }

    @Test
    void release_sent_again_is_settled() {
      assertUnchanged(NOT_DUE, settle(NOT_DUE, MY_CLAIM, RELEASE_VERDICT), SETTLED_ANSWER);
    }

    @Test
    void renew_of_a_stranger_is_fenced() {
      assertUnchanged(NOT_DUE, renew(NOT_DUE, LATE_CLAIM), renewFenced(MarkState.RETRY));
    }

    @Test
    void done_of_a_stranger_is_fenced() {
      assertUnchanged(NOT_DUE, settle(NOT_DUE, LATE_CLAIM, DONE_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void retry_of_a_stranger_is_fenced() {
      assertUnchanged(NOT_DUE, settle(NOT_DUE, LATE_CLAIM, RETRY_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void release_of_a_stranger_is_fenced() {
      assertUnchanged(
          NOT_DUE, settle(NOT_DUE, LATE_CLAIM, RELEASE_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void dead_of_a_stranger_is_fenced() {
      assertUnchanged(NOT_DUE, settle(NOT_DUE, LATE_CLAIM, DEAD_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void an_operator_may_reopen_it() {
      Mark next = reopen(NOT_DUE).next();
      assertThat(next.state()).isEqualTo(MarkState.RETRY);
      assertThat(next.until()).isEqualTo(NOW);
    }

    @Test
    void an_operator_may_force_it_done() {
      assertThat(forceDone(NOT_DUE).next().state()).isEqualTo(MarkState.DONE);
    }
  }

  @Nested
  @DisplayName("RETRY, due")
  class RetryDue {

    @Test
    void claim_with_a_new_nonce_acquires_the_next_attempt() {
      Claim next = acquiredNow(new Attempt(2, false, true, false));
      assertBecomes(
          new Mark(next, MarkState.PROCESSING, NOW, NOW.plus(LEASE), Bytes.EMPTY),
          claim(DUE, shared(OTHER)),
          new Acquired(next, Kind.RETRY, NOW.plus(LEASE), Optional.empty()));
    }

    @Test
    void claim_with_its_last_nonce_is_too_late() {
      assertUnchanged(DUE, claim(DUE, shared(MINE)), new ClaimAnswer.TooLate(NOW));
    }

    @Test
    void complete_with_a_new_nonce_marks_it_done() {
      Claim next = acquiredNow(new Attempt(2, false, true, false));
      assertBecomes(
          done(next, NOW, Bytes.EMPTY),
          complete(DUE, shared(OTHER)),
          new Acquired(next, Kind.RETRY, NOW, Optional.empty()));
    }

    @Test
    void complete_with_its_last_nonce_is_too_late() {
      assertUnchanged(DUE, complete(DUE, shared(MINE)), new ClaimAnswer.TooLate(NOW));
    }

    @Test
    void renew_of_its_last_owner_is_fenced() {
      assertUnchanged(DUE, renew(DUE, MY_CLAIM), renewFenced(MarkState.RETRY));
    }

    @Test
    void done_of_its_last_owner_is_fenced() {
      assertUnchanged(DUE, settle(DUE, MY_CLAIM, DONE_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void dead_of_its_last_owner_is_fenced() {
      assertUnchanged(DUE, settle(DUE, MY_CLAIM, DEAD_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void retry_sent_again_is_settled() {
      assertUnchanged(DUE, settle(DUE, MY_CLAIM, RETRY_VERDICT), SETTLED_ANSWER);
    }

    @Test
    void release_sent_again_is_settled() {
      assertUnchanged(DUE, settle(DUE, MY_CLAIM, RELEASE_VERDICT), SETTLED_ANSWER);
    }

    @Test
    void renew_of_a_stranger_is_fenced() {
      assertUnchanged(DUE, renew(DUE, LATE_CLAIM), renewFenced(MarkState.RETRY));
    }

    @Test
    void done_of_a_stranger_is_fenced() {
      assertUnchanged(DUE, settle(DUE, LATE_CLAIM, DONE_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void retry_of_a_stranger_is_fenced() {
      assertUnchanged(DUE, settle(DUE, LATE_CLAIM, RETRY_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void release_of_a_stranger_is_fenced() {
      assertUnchanged(DUE, settle(DUE, LATE_CLAIM, RELEASE_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void dead_of_a_stranger_is_fenced() {
      assertUnchanged(DUE, settle(DUE, LATE_CLAIM, DEAD_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void an_operator_may_reopen_it() {
      Mark next = reopen(DUE).next();
      assertThat(next.state()).isEqualTo(MarkState.RETRY);
      assertThat(next.until()).isEqualTo(NOW);
    }

    @Test
    void an_operator_may_force_it_done() {
      assertThat(forceDone(DUE).next().state()).isEqualTo(MarkState.DONE);
    }
  }
}
