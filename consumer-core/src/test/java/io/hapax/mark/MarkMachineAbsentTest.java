package io.hapax.mark;

import static io.hapax.mark.SampleMarks.ABSENT;
import static io.hapax.mark.SampleMarks.BACKOFF;
import static io.hapax.mark.SampleMarks.DEAD_VERDICT;
import static io.hapax.mark.SampleMarks.DONE_VERDICT;
import static io.hapax.mark.SampleMarks.FIRST;
import static io.hapax.mark.SampleMarks.LEASE;
import static io.hapax.mark.SampleMarks.MY_CLAIM;
import static io.hapax.mark.SampleMarks.NOW;
import static io.hapax.mark.SampleMarks.OTHER;
import static io.hapax.mark.SampleMarks.RECEIPT;
import static io.hapax.mark.SampleMarks.RELEASE_VERDICT;
import static io.hapax.mark.SampleMarks.RETRY_VERDICT;
import static io.hapax.mark.SampleMarks.SETTLED_ANSWER;
import static io.hapax.mark.SampleMarks.acquired;
import static io.hapax.mark.SampleMarks.acquiredNow;
import static io.hapax.mark.SampleMarks.assertBecomes;
import static io.hapax.mark.SampleMarks.assertUnchanged;
import static io.hapax.mark.SampleMarks.claim;
import static io.hapax.mark.SampleMarks.complete;
import static io.hapax.mark.SampleMarks.done;
import static io.hapax.mark.SampleMarks.forceDone;
import static io.hapax.mark.SampleMarks.renew;
import static io.hapax.mark.SampleMarks.reopen;
import static io.hapax.mark.SampleMarks.settle;
import static io.hapax.mark.SampleMarks.shared;
import static io.hapax.mark.SampleMarks.writtenAnew;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.SettleAnswer.Settled;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The row of the machine's table for a mark that is not there, one test for each cell. */
@DisplayName("the mark machine, cell by cell: absent")
class MarkMachineAbsentTest {

  private static final SettleAnswer SETTLED_LOST = new Settled(true);

  @Test
  void claim_acquires_it_afresh() {
    Transition<ClaimAnswer> it = claim(ABSENT, shared(OTHER));
    Claim mark = acquiredNow(FIRST);
    assertThat(it.answer())
        .isEqualTo(new Acquired(mark, Kind.FRESH, NOW.plus(LEASE), Optional.empty()));
    assertThat(it.next())
        .isEqualTo(new Mark(mark, MarkState.PROCESSING, NOW, NOW.plus(LEASE), Bytes.EMPTY));
  }

  @Test
  void renew_writes_it_anew_with_its_token_and_reports_the_loss() {
    assertBecomes(
        writtenAnew(NOW.plus(LEASE)),
        renew(ABSENT, MY_CLAIM),
        new RenewAnswer.Renewed(NOW.plus(LEASE), true));
  }

  @Test
  void done_is_written_and_reports_that_the_mark_was_lost() {
    assertBecomes(
        done(MY_CLAIM, NOW, RECEIPT), settle(ABSENT, MY_CLAIM, DONE_VERDICT), SETTLED_LOST);
  }

  @Test
  void retry_is_written_and_reports_that_the_mark_was_lost() {
    assertBecomes(
        new Mark(MY_CLAIM, MarkState.RETRY, NOW, NOW.plus(BACKOFF), Bytes.EMPTY),
        settle(ABSENT, MY_CLAIM, RETRY_VERDICT),
        SETTLED_LOST);
  }

  @Test
  void release_has_nothing_to_do() {
    assertUnchanged(ABSENT, settle(ABSENT, MY_CLAIM, RELEASE_VERDICT), SETTLED_ANSWER);
  }

  @Test
  void dead_is_not_written_and_reports_that_the_mark_was_lost() {
    assertUnchanged(ABSENT, settle(ABSENT, MY_CLAIM, DEAD_VERDICT), SETTLED_LOST);
  }

  @Test
  void complete_acquires_it_and_marks_it_done_in_one_step() {
    Transition<ClaimAnswer> it = complete(ABSENT, shared(OTHER));
    assertThat(acquired(it).kind()).isEqualTo(Kind.FRESH);
    assertThat(acquired(it).claim()).isEqualTo(acquiredNow(FIRST));
    assertThat(it.next()).isEqualTo(done(acquiredNow(FIRST), NOW, Bytes.EMPTY));
  }

  @Test
  void an_operator_has_nothing_to_resolve() {
    assertUnchanged(ABSENT, reopen(ABSENT), false);
    assertUnchanged(ABSENT, forceDone(ABSENT), false);
  }
}
