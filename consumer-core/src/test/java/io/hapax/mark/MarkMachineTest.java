package io.hapax.mark;

import static io.hapax.mark.SampleMarks.ABSENT;
import static io.hapax.mark.SampleMarks.BACKOFF;
import static io.hapax.mark.SampleMarks.CLAIMED;
import static io.hapax.mark.SampleMarks.DEAD;
import static io.hapax.mark.SampleMarks.DEAD_VERDICT;
import static io.hapax.mark.SampleMarks.DONE;
import static io.hapax.mark.SampleMarks.DONE_VERDICT;
import static io.hapax.mark.SampleMarks.DUE;
import static io.hapax.mark.SampleMarks.EXPIRED;
import static io.hapax.mark.SampleMarks.FIRST;
import static io.hapax.mark.SampleMarks.KEY;
import static io.hapax.mark.SampleMarks.LATE_CLAIM;
import static io.hapax.mark.SampleMarks.LEASE;
import static io.hapax.mark.SampleMarks.LEASED;
import static io.hapax.mark.SampleMarks.MINE;
import static io.hapax.mark.SampleMarks.MY_CLAIM;
import static io.hapax.mark.SampleMarks.NOT_DUE;
import static io.hapax.mark.SampleMarks.NOW;
import static io.hapax.mark.SampleMarks.OTHER;
import static io.hapax.mark.SampleMarks.OTHER_ORIGIN;
import static io.hapax.mark.SampleMarks.PAYLOAD;
import static io.hapax.mark.SampleMarks.RECEIPT;
import static io.hapax.mark.SampleMarks.RELEASE_VERDICT;
import static io.hapax.mark.SampleMarks.RETRY_VERDICT;
import static io.hapax.mark.SampleMarks.SETTLED;
import static io.hapax.mark.SampleMarks.acquired;
import static io.hapax.mark.SampleMarks.assertBecomes;
import static io.hapax.mark.SampleMarks.assertUnchanged;
import static io.hapax.mark.SampleMarks.certain;
import static io.hapax.mark.SampleMarks.claim;
import static io.hapax.mark.SampleMarks.complete;
import static io.hapax.mark.SampleMarks.forceDone;
import static io.hapax.mark.SampleMarks.processing;
import static io.hapax.mark.SampleMarks.renew;
import static io.hapax.mark.SampleMarks.reopen;
import static io.hapax.mark.SampleMarks.settle;
import static io.hapax.mark.SampleMarks.shared;
import static io.hapax.mark.SampleMarks.solo;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.SettleAnswer.Settled;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The table of the machine: one nested class for each row, one test for each cell. It is long
 * because the table is. The rules that cut across rows are in {@link MarkMachineRulesTest}.
 */
@DisplayName("the mark machine, cell by cell")
class MarkMachineTest {

  private static final SettleAnswer SETTLED_ANSWER = new Settled(false);
  private static final SettleAnswer SETTLED_LOST = new Settled(true);
  private static final ClaimAnswer OWN_DONE = new ClaimAnswer.Done(RECEIPT, SETTLED, true);
  private static final ClaimAnswer OTHERS_DONE = new ClaimAnswer.Done(RECEIPT, SETTLED, false);
  private static final ClaimAnswer DEAD_ANSWER = new ClaimAnswer.Dead("no such customer");

  private static SettleAnswer fenced(MarkState state) {
    return new SettleAnswer.Fenced(state);
  }

  private static RenewAnswer renewFenced(MarkState state) {
    return new RenewAnswer.Fenced(state);
  }

  private static ClaimAnswer busy(int seconds) {
    return new ClaimAnswer.Busy(Duration.ofSeconds(seconds));
  }

  private static Mark done(Claim claim, Instant claimedAt, Bytes result) {
    Claim small = new Claim(
        KEY,
        claim.nonce(),
        claim.token(),
        certain(claim.attempt().number()),
        claim.fingerprint(),
        Origin.NONE);
    return new Mark(small, MarkState.DONE, claimedAt, NOW, result);
  }

  /** What a claim by the other nonce becomes if it is acquired now. */
  private static Claim acquiredNow(Attempt attempt) {
    return new Claim(KEY, OTHER, EpochMicros.of(NOW), attempt, PAYLOAD, OTHER_ORIGIN);
  }

  private static final ClaimAnswer.Previous ME =
      new ClaimAnswer.Previous("host-1/orders", MY_CLAIM.token(), Duration.between(CLAIMED, NOW));

  @Nested
  @DisplayName("absent")
  class Absent {

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
    void renew_writes_it_anew_with_its_token_and_tells_that_it_was_lost() {
      assertBecomes(
          new Mark(MY_CLAIM, MarkState.PROCESSING, NOW, NOW.plus(LEASE), Bytes.EMPTY),
          renew(ABSENT, MY_CLAIM),
          new RenewAnswer.Renewed(NOW.plus(LEASE), true));
    }

    @Test
    void done_is_written_and_tells_that_the_mark_was_lost() {
      assertBecomes(
          done(MY_CLAIM, NOW, RECEIPT), settle(ABSENT, MY_CLAIM, DONE_VERDICT), SETTLED_LOST);
    }

    @Test
    void retry_is_written_and_tells_that_the_mark_was_lost() {
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
    void dead_is_written_and_tells_that_the_mark_was_lost() {
      assertBecomes(
          new Mark(MY_CLAIM, MarkState.DEAD, NOW, NOW, Bytes.utf8("no such customer")),
          settle(ABSENT, MY_CLAIM, DEAD_VERDICT),
          SETTLED_LOST);
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
    void an_operator_cannot_touch_a_lease_that_lives() {
      assertUnchanged(LEASED, reopen(LEASED), false);
      assertUnchanged(LEASED, forceDone(LEASED), false);
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
  @DisplayName("PROCESSING, other nonce, lease alive")
  class ProcessingUnderAnotherNonceLeaseAlive {

    @Test
    void claim_is_busy_for_the_rest_of_the_lease() {
      assertUnchanged(LEASED, claim(LEASED, shared(OTHER)), busy(20));
      assertUnchanged(LEASED, claim(LEASED, solo(OTHER)), busy(20));
    }

    @Test
    void renew_of_a_stranger_is_fenced() {
      assertUnchanged(LEASED, renew(LEASED, LATE_CLAIM), renewFenced(MarkState.PROCESSING));
    }

    @Test
    void done_of_a_stranger_is_fenced() {
      assertUnchanged(
          LEASED, settle(LEASED, LATE_CLAIM, DONE_VERDICT), fenced(MarkState.PROCESSING));
    }

    @Test
    void retry_of_a_stranger_is_fenced() {
      assertUnchanged(
          LEASED, settle(LEASED, LATE_CLAIM, RETRY_VERDICT), fenced(MarkState.PROCESSING));
    }

    @Test
    void release_of_a_stranger_is_fenced() {
      assertUnchanged(
          LEASED, settle(LEASED, LATE_CLAIM, RELEASE_VERDICT), fenced(MarkState.PROCESSING));
    }

    @Test
    void dead_of_a_stranger_is_fenced() {
      assertUnchanged(
          LEASED, settle(LEASED, LATE_CLAIM, DEAD_VERDICT), fenced(MarkState.PROCESSING));
    }

    @Test
    void complete_is_busy_for_the_rest_of_the_lease() {
      assertUnchanged(LEASED, complete(LEASED, shared(OTHER)), busy(20));
    }
  }

  @Nested
  @DisplayName("PROCESSING, other nonce, lease over")
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
    void claim_that_is_not_solo_is_told_so_and_changes_nothing() {
      assertUnchanged(EXPIRED, claim(EXPIRED, shared(OTHER)), new ClaimAnswer.Suspect());
    }

    @Test
    void lease_is_over_at_the_very_instant_at_which_it_ends() {
      Mark ending = processing(FIRST, NOW);
      assertThat(acquired(claim(ending, solo(OTHER))).kind()).isEqualTo(Kind.TAKEOVER);
    }

    @Test
    void renew_of_a_stranger_is_fenced() {
      assertUnchanged(EXPIRED, renew(EXPIRED, LATE_CLAIM), renewFenced(MarkState.PROCESSING));
    }

    @Test
    void done_of_a_stranger_is_fenced() {
      assertUnchanged(
          EXPIRED, settle(EXPIRED, LATE_CLAIM, DONE_VERDICT), fenced(MarkState.PROCESSING));
    }

    @Test
    void retry_of_a_stranger_is_fenced() {
      assertUnchanged(
          EXPIRED, settle(EXPIRED, LATE_CLAIM, RETRY_VERDICT), fenced(MarkState.PROCESSING));
    }

    @Test
    void release_of_a_stranger_is_fenced() {
      assertUnchanged(
          EXPIRED, settle(EXPIRED, LATE_CLAIM, RELEASE_VERDICT), fenced(MarkState.PROCESSING));
    }

    @Test
    void dead_of_a_stranger_is_fenced() {
      assertUnchanged(
          EXPIRED, settle(EXPIRED, LATE_CLAIM, DEAD_VERDICT), fenced(MarkState.PROCESSING));
    }

    @Test
    void complete_takes_it_over_even_if_it_is_not_solo() {
      Claim taken = acquiredNow(new Attempt(1, false, true, true));
      assertBecomes(
          done(taken, NOW, Bytes.EMPTY),
          complete(EXPIRED, shared(OTHER)),
          new Acquired(taken, Kind.TAKEOVER, NOW, Optional.of(ME)));
    }

    @Test
    void an_operator_may_reopen_it() {
      Mark next = reopen(EXPIRED).next();
      assertThat(next.state()).isEqualTo(MarkState.RETRY);
      assertThat(next.until()).isEqualTo(NOW);
    }

    @Test
    void an_operator_may_force_it_done() {
      Mark next = forceDone(EXPIRED).next();
      assertThat(next.state()).isEqualTo(MarkState.DONE);
      assertThat(next.until()).isEqualTo(NOW);
    }
  }

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
