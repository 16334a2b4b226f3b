package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.SettleAnswer.Settled;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The rows of the machine's table, a class for each. {@link MarkMachineRulesTest} tests which
 * owners are fenced, {@link MarkMachineResolvingTest} what operators may do, and
 * {@link MarkMachineDeferTest} the column of DEFER.
 */
@DisplayName("the mark machine, cell by cell")
class MarkMachineCellsTest extends SampleMarks {

  private static final ClaimAnswer.Previous ME =
      new ClaimAnswer.Previous("host-1/orders", MY_CLAIM.token(), Duration.between(CLAIMED, NOW));
  private static final ClaimAnswer OWN_DONE = new ClaimAnswer.Done(RECEIPT, SETTLED, true);
  private static final ClaimAnswer OTHERS_DONE = new ClaimAnswer.Done(RECEIPT, SETTLED, false);
  private static final ClaimAnswer DEAD_ANSWER = new ClaimAnswer.Dead("no such customer");

  @Nested
  @DisplayName("absent")
  class Absent {

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

  @Nested
  @DisplayName("PROCESSING, same nonce")
  class ProcessingUnderItsNonce {

    @Test
    void claim_sent_again_gets_the_same_token_and_attempt_and_a_longer_lease() {
      assertBecomes(
          processing(FIRST, NOW.plus(LEASE)),
          claim(LEASED, shared(MINE)),
          new Acquired(MY_CLAIM, Kind.RESENT, NOW.plus(LEASE), Optional.empty()));
    }

    @Test
    void renew_prolongs_the_lease() {
      assertBecomes(
          processing(FIRST, NOW.plus(LEASE)),
          renew(LEASED, MY_CLAIM),
          new RenewAnswer.Renewed(NOW.plus(LEASE), false));
    }

    @Test
    void done_is_written() {
      assertBecomes(
          done(MY_CLAIM, CLAIMED, RECEIPT), settle(LEASED, MY_CLAIM, DONE_VERDICT), SETTLED_ANSWER);
    }

    @Test
    void retry_is_written_and_due_after_the_backoff() {
      assertBecomes(
          new Mark(MY_CLAIM.with(FIRST), MarkState.RETRY, CLAIMED, NOW.plus(BACKOFF), Bytes.EMPTY),
          settle(LEASED, MY_CLAIM, RETRY_VERDICT),
          SETTLED_ANSWER);
    }

    @Test
    void release_makes_it_due_at_once_and_gives_the_attempt_back() {
      assertBecomes(
          new Mark(
              MY_CLAIM.with(new Attempt(0, false, true, false)),
              MarkState.RETRY,
              CLAIMED,
              NOW,
              Bytes.EMPTY),
          settle(LEASED, MY_CLAIM, RELEASE_VERDICT),
          SETTLED_ANSWER);
    }

    @Test
    void dead_is_written_with_its_reason() {
      assertBecomes(
          new Mark(MY_CLAIM, MarkState.DEAD, CLAIMED, NOW, Bytes.utf8("no such customer")),
          settle(LEASED, MY_CLAIM, DEAD_VERDICT),
          SETTLED_ANSWER);
    }

    @Test
    void complete_ends_the_same_claim() {
      assertBecomes(
          done(MY_CLAIM, CLAIMED, Bytes.EMPTY),
          complete(LEASED, shared(MINE)),
          new Acquired(MY_CLAIM, Kind.RESENT, LEASED.until(), Optional.empty()));
    }

    @Test
    void an_owner_whose_lease_ran_out_may_still_claim_again_renew_and_settle() {
      assertThat(acquired(claim(EXPIRED, shared(MINE))).claim()).isEqualTo(MY_CLAIM);
      assertThat(renew(EXPIRED, MY_CLAIM).answer())
          .isEqualTo(new RenewAnswer.Renewed(NOW.plus(LEASE), false));
      assertThat(settle(EXPIRED, MY_CLAIM, DONE_VERDICT).answer()).isEqualTo(SETTLED_ANSWER);
      assertThat(settle(EXPIRED, MY_CLAIM, RETRY_VERDICT).answer()).isEqualTo(SETTLED_ANSWER);
      assertThat(settle(EXPIRED, MY_CLAIM, RELEASE_VERDICT).answer()).isEqualTo(SETTLED_ANSWER);
      assertThat(settle(EXPIRED, MY_CLAIM, DEAD_VERDICT).answer()).isEqualTo(SETTLED_ANSWER);
    }
  }

  @Nested
  @DisplayName("PROCESSING, same nonce, written anew after it was lost")
  class WrittenAnew {

    private final Mark anew = writtenAnew(NOW.plusSeconds(20));
    private final Mark reopened = new Mark(
        MY_CLAIM.with(new Attempt(0, false, true, false)), MarkState.RETRY, NOW, NOW, Bytes.EMPTY);

    @Test
    void dead_makes_it_due_at_once_as_if_it_was_reopened() {
      SettleAnswer lost = new SettleAnswer.Settled(true);
      assertBecomes(reopened, settle(anew, MY_CLAIM, DEAD_VERDICT), lost);
      assertUnchanged(reopened, settle(reopened, MY_CLAIM, DEAD_VERDICT), lost);
      assertUnchanged(
          reopened, settle(reopened, LATE_CLAIM, DEAD_VERDICT), fenced(MarkState.RETRY));
    }

    @Test
    void a_doubt_goes_with_the_dead_letter() {
      Attempt doubtful = new Attempt(0, true, true, true);
      Mark mark = processing(doubtful, NOW.plusSeconds(20));
      assertThat(settle(mark, MY_CLAIM, DEAD_VERDICT).next().claim().attempt())
          .isEqualTo(new Attempt(0, false, true, false));
    }

    @Test
    void every_other_verdict_is_written_with_the_attempt_of_its_owner() {
      assertBecomes(
          done(MY_CLAIM, NOW, RECEIPT), settle(anew, MY_CLAIM, DONE_VERDICT), SETTLED_ANSWER);
      assertBecomes(
          new Mark(MY_CLAIM, MarkState.RETRY, NOW, NOW.plus(BACKOFF), Bytes.EMPTY),
          settle(anew, MY_CLAIM, RETRY_VERDICT),
          SETTLED_ANSWER);
      assertBecomes(reopened, settle(anew, MY_CLAIM, RELEASE_VERDICT), SETTLED_ANSWER);
    }
  }

  @Nested
  @DisplayName("PROCESSING, other nonce, lease alive")
  class ProcessingUnderAnotherNonceLeaseAlive {

    @Test
    void claim_and_complete_are_busy_for_the_rest_of_the_lease() {
      assertUnchanged(LEASED, claim(LEASED, shared(OTHER)), busy(20));
      assertUnchanged(LEASED, claim(LEASED, solo(OTHER)), busy(20));
      assertUnchanged(LEASED, complete(LEASED, shared(OTHER)), busy(20));
    }
  }

  @Nested
  @DisplayName("PROCESSING, other nonce, lease expired")
  class ProcessingUnderAnotherNonceLeaseOver {

    @Test
    void solo_claim_takes_it_over_with_a_new_token_and_in_doubt() {
      Claim taken = acquiredNow(new Attempt(1, true, true, true));
      assertBecomes(
          new Mark(taken, MarkState.PROCESSING, NOW, NOW.plus(LEASE), Bytes.EMPTY),
          claim(EXPIRED, solo(OTHER)),
          new Acquired(taken, Kind.TAKEOVER, NOW.plus(LEASE), Optional.of(ME)));
    }

    @Test
    void claim_that_is_not_solo_is_answered_suspect_and_changes_nothing() {
      assertUnchanged(
          EXPIRED,
          claim(EXPIRED, shared(OTHER)),
          new ClaimAnswer.Suspect(EXPIRED.claim().attempt()));
    }

    @Test
    void lease_has_expired_at_the_instant_at_which_it_ends() {
      Mark ending = processing(FIRST, NOW);
      assertThat(acquired(claim(ending, solo(OTHER))).kind()).isEqualTo(Kind.TAKEOVER);
    }

    @Test
    void complete_takes_it_over_even_if_it_is_not_solo() {
      Claim taken = acquiredNow(new Attempt(1, false, true, true));
      assertBecomes(
          done(taken, NOW, Bytes.EMPTY),
          complete(EXPIRED, shared(OTHER)),
          new Acquired(taken, Kind.TAKEOVER, NOW, Optional.of(ME)));
    }
  }

  @Nested
  @DisplayName("RETRY, not due")
  class RetryNotDue {

    @Test
    void claim_and_complete_are_busy_until_it_is_due() {
      assertUnchanged(NOT_DUE, claim(NOT_DUE, shared(OTHER)), busy(3));
      assertUnchanged(NOT_DUE, claim(NOT_DUE, shared(MINE)), busy(3));
      assertUnchanged(NOT_DUE, complete(NOT_DUE, shared(OTHER)), busy(3));
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
    void claim_and_complete_with_its_last_nonce_are_too_late() {
      assertUnchanged(DUE, claim(DUE, shared(MINE)), new ClaimAnswer.TooLate(NOW));
      assertUnchanged(DUE, complete(DUE, shared(MINE)), new ClaimAnswer.TooLate(NOW));
    }

    @Test
    void complete_with_a_new_nonce_marks_it_done() {
      Claim next = acquiredNow(new Attempt(2, false, true, false));
      assertBecomes(
          done(next, NOW, Bytes.EMPTY),
          complete(DUE, shared(OTHER)),
          new Acquired(next, Kind.RETRY, NOW, Optional.empty()));
    }
  }

  @Nested
  @DisplayName("DONE")
  class IsDone {

    @Test
    void claim_and_complete_are_answered_done() {
      assertUnchanged(DONE, claim(DONE, shared(OTHER)), OTHERS_DONE);
      assertUnchanged(DONE, claim(DONE, shared(MINE)), OWN_DONE);
      assertUnchanged(DONE, complete(DONE, shared(OTHER)), OTHERS_DONE);
      assertUnchanged(DONE, complete(DONE, shared(MINE)), OWN_DONE);
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
  }

  @Nested
  @DisplayName("DEAD")
  class IsDead {

    @Test
    void claim_and_complete_are_answered_dead() {
      assertUnchanged(DEAD, claim(DEAD, shared(OTHER)), DEAD_ANSWER);
      assertUnchanged(DEAD, claim(DEAD, shared(MINE)), DEAD_ANSWER);
      assertUnchanged(DEAD, complete(DEAD, shared(OTHER)), DEAD_ANSWER);
      assertUnchanged(DEAD, complete(DEAD, shared(MINE)), DEAD_ANSWER);
    }
  }
}
