package io.hapax.mark;

import static io.hapax.mark.SampleMarks.ABSENT;
import static io.hapax.mark.SampleMarks.BACKOFF;
import static io.hapax.mark.SampleMarks.DEAD;
import static io.hapax.mark.SampleMarks.DEAD_VERDICT;
import static io.hapax.mark.SampleMarks.DEFER_VERDICT;
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
import static io.hapax.mark.SampleMarks.OTHER_PAYLOAD;
import static io.hapax.mark.SampleMarks.RELEASE_VERDICT;
import static io.hapax.mark.SampleMarks.RETRY_VERDICT;
import static io.hapax.mark.SampleMarks.SETTLED_ANSWER;
import static io.hapax.mark.SampleMarks.acquired;
import static io.hapax.mark.SampleMarks.assertUnchanged;
import static io.hapax.mark.SampleMarks.claim;
import static io.hapax.mark.SampleMarks.complete;
import static io.hapax.mark.SampleMarks.done;
import static io.hapax.mark.SampleMarks.fenced;
import static io.hapax.mark.SampleMarks.marksThatStand;
import static io.hapax.mark.SampleMarks.notAfter;
import static io.hapax.mark.SampleMarks.processing;
import static io.hapax.mark.SampleMarks.renew;
import static io.hapax.mark.SampleMarks.settle;
import static io.hapax.mark.SampleMarks.shared;
import static io.hapax.mark.SampleMarks.solo;
import static io.hapax.mark.SampleMarks.withPayload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.mark.ClaimAnswer.Conflict;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimAnswer.TooLate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules that hold in every row of the machine's table. */
@DisplayName("the mark machine's rules")
class MarkMachineRulesTest {

  static Stream<Mark> allMarks() {
    return Stream.concat(Stream.of(ABSENT), marksThatStand().stream());
  }

  @Nested
  @DisplayName("invariant 11: another payload under the same id is a conflict")
  class Fingerprints {

    private static final Instant PAST = NOW.minusSeconds(1);

    @ParameterizedTest
    @MethodSource("io.hapax.mark.SampleMarks#marksThatStand")
    void conflict_is_answered_in_every_state_and_changes_nothing(Mark mark) {
      Conflict conflict = new Conflict(mark.state());
      ClaimRequest other = withPayload(solo(OTHER), OTHER_PAYLOAD);
      ClaimRequest mine = withPayload(shared(MINE), OTHER_PAYLOAD);
      assertUnchanged(mark, claim(mark, other), conflict);
      assertUnchanged(mark, claim(mark, mine), conflict);
      assertUnchanged(mark, complete(mark, other), conflict);
      assertUnchanged(mark, complete(mark, mine), conflict);
    }

    @ParameterizedTest
    @MethodSource("io.hapax.mark.SampleMarks#marksThatStand")
    void a_claim_that_is_too_late_is_still_answered_as_a_conflict(Mark mark) {
      ClaimRequest late = withPayload(notAfter(solo(OTHER), PAST), OTHER_PAYLOAD);
      assertUnchanged(mark, claim(mark, late), new Conflict(mark.state()));
    }

    @Test
    void absent_mark_conflicts_with_nothing() {
      ClaimRequest other = withPayload(shared(OTHER), OTHER_PAYLOAD);
      assertThat(acquired(claim(ABSENT, other)).claim().fingerprint()).isEqualTo(OTHER_PAYLOAD);
    }

    @Test
    void fingerprint_that_is_switched_off_conflicts_with_nothing() {
      ClaimRequest unchecked = withPayload(shared(OTHER), Fingerprint.NONE);
      assertThat(acquired(claim(DUE, unchecked)).kind()).isEqualTo(Kind.RETRY);
      Mark unmarked = claim(ABSENT, withPayload(shared(MINE), Fingerprint.NONE)).next();
      assertThat(claim(unmarked, shared(OTHER)).answer()).isEqualTo(new ClaimAnswer.Busy(LEASE));
    }
  }

  @Nested
  @DisplayName("invariant 6: a claim executed after its caller gave up opens nothing")
  class NotAfter {

    @ParameterizedTest
    @MethodSource("io.hapax.mark.MarkMachineRulesTest#allMarks")
    void claim_after_its_limit_is_too_late_in_every_state(Mark mark) {
      Instant limit = NOW.minusNanos(1000);
      ClaimAnswer tooLate = new TooLate(NOW);
      assertUnchanged(mark, claim(mark, notAfter(solo(OTHER), limit)), tooLate);
      assertUnchanged(mark, claim(mark, notAfter(shared(MINE), limit)), tooLate);
      assertUnchanged(mark, complete(mark, notAfter(shared(OTHER), limit)), tooLate);
      assertUnchanged(mark, complete(mark, notAfter(shared(MINE), limit)), tooLate);
    }

    @Test
    void claim_at_the_very_instant_of_its_limit_is_in_time() {
      assertThat(acquired(claim(ABSENT, notAfter(shared(OTHER), NOW))).kind())
          .isEqualTo(Kind.FRESH);
    }

    @Test
    void claim_that_was_given_back_cannot_be_opened_again_by_a_replayed_command() {
      Mark released = settle(LEASED, MY_CLAIM, RELEASE_VERDICT).next();
      assertUnchanged(released, claim(released, shared(MINE)), new TooLate(NOW));
    }
  }

  @Nested
  @DisplayName("invariant 4: tokens of a mark strictly increase")
  class Tokens {

    @Test
    void token_is_the_store_time_in_microseconds() {
      assertThat(MarkMachine.tokenAfter(5, NOW)).isEqualTo(EpochMicros.of(NOW));
    }

    @Test
    void token_grows_by_one_when_the_clock_stops_or_goes_back() {
      long previous = EpochMicros.of(NOW);
      assertThat(MarkMachine.tokenAfter(previous, NOW)).isEqualTo(previous + 1);
      assertThat(MarkMachine.tokenAfter(previous, NOW.minusSeconds(60))).isEqualTo(previous + 1);
    }

    @Test
    void token_grows_across_release_within_one_microsecond() {
      Claim first = acquired(claim(ABSENT, shared(MINE))).claim();
      Mark released =
          settle(claim(ABSENT, shared(MINE)).next(), first, RELEASE_VERDICT).next();
      Claim second = acquired(claim(released, shared(OTHER))).claim();
      assertThat(second.token()).isEqualTo(first.token() + 1);
    }

    @Test
    void token_grows_across_takeover_although_the_store_clock_went_back() {
      Instant before = NOW.minusSeconds(3600);
      Mark lost = processing(FIRST, before);
      Transition<ClaimAnswer> taken = MarkMachine.claim(lost, solo(OTHER), LEASE, before);
      assertThat(acquired(taken).claim().token()).isEqualTo(MY_CLAIM.token() + 1);
    }

    @Test
    void token_grows_across_the_loss_of_the_mark() {
      assertThat(acquired(claim(ABSENT, shared(OTHER))).claim().token())
          .isGreaterThan(MY_CLAIM.token());
    }
  }

  @Nested
  @DisplayName("invariant 5: a late owner can neither renew nor settle")
  class LateOwners {

    private static final List<Verdict> VERDICTS =
        List.of(DONE_VERDICT, RETRY_VERDICT, DEFER_VERDICT, RELEASE_VERDICT, DEAD_VERDICT);

    private final Claim sameNonceOlderToken = new Claim(
        KEY, MINE, MY_CLAIM.token() - 1, FIRST, MY_CLAIM.fingerprint(), MY_CLAIM.origin());
    private final Claim otherNonceSameToken =
        new Claim(KEY, OTHER, MY_CLAIM.token(), FIRST, MY_CLAIM.fingerprint(), MY_CLAIM.origin());

    @ParameterizedTest
    @MethodSource("io.hapax.mark.SampleMarks#marksThatStand")
    void nonce_alone_or_token_alone_is_fenced_in_every_state(Mark mark) {
      for (Claim late : List.of(sameNonceOlderToken, otherNonceSameToken, LATE_CLAIM)) {
        assertUnchanged(mark, renew(mark, late), new RenewAnswer.Fenced(mark.state()));
        VERDICTS.forEach(verdict -> assertUnchanged(
            mark, settle(mark, late, verdict), new SettleAnswer.Fenced(mark.state())));
      }
    }

    static Stream<Arguments> theVerdictsOfTheLastOwner() {
      List<Verdict> notEnded = List.of(RETRY_VERDICT, DEFER_VERDICT, RELEASE_VERDICT);
      return Stream.of(
          arguments(NOT_DUE, notEnded),
          arguments(DUE, notEnded),
          arguments(DONE, List.of(DONE_VERDICT)),
          arguments(DEAD, List.of(DEAD_VERDICT)));
    }

    @ParameterizedTest
    @MethodSource("theVerdictsOfTheLastOwner")
    void the_last_owner_may_only_send_its_verdict_again(Mark mark, List<Verdict> again) {
      assertUnchanged(mark, renew(mark, MY_CLAIM), new RenewAnswer.Fenced(mark.state()));
      for (Verdict verdict : VERDICTS) {
        SettleAnswer answer = again.contains(verdict) ? SETTLED_ANSWER : fenced(mark.state());
        assertUnchanged(mark, settle(mark, MY_CLAIM, verdict), answer);
      }
    }

    @Test
    void owner_that_was_taken_over_changes_nothing() {
      Mark taken = claim(EXPIRED, solo(OTHER)).next();
      assertUnchanged(taken, renew(taken, MY_CLAIM), new RenewAnswer.Fenced(MarkState.PROCESSING));
      assertUnchanged(
          taken,
          settle(taken, MY_CLAIM, DONE_VERDICT),
          new SettleAnswer.Fenced(MarkState.PROCESSING));
    }

    @Test
    void time_alone_never_takes_a_claim_from_its_owner() {
      Instant muchLater = NOW.plus(Duration.ofDays(365));
      Settlement done = new Settlement(MY_CLAIM, DONE_VERDICT);
      assertThat(MarkMachine.settle(EXPIRED, done, muchLater).next().state())
          .isEqualTo(MarkState.DONE);
    }
  }

  @Nested
  @DisplayName("T1: complete")
  class Completing {

    @Test
    void takeover_in_a_transaction_counts_attempts_like_a_claim() {
      Mark soloLost = processing(new Attempt(2, true, false, false), NOW.minusSeconds(1));
      assertThat(acquired(complete(soloLost, shared(OTHER))).claim().attempt().number())
          .isEqualTo(3);
      assertThat(acquired(complete(EXPIRED, shared(OTHER))).claim().attempt().number())
          .isEqualTo(1);
    }

    @Test
    void done_by_this_very_request_is_answered_as_its_own() {
      Mark done = complete(ABSENT, shared(MINE)).next();
      assertUnchanged(
          done, complete(done, shared(MINE)), new ClaimAnswer.Done(Bytes.EMPTY, NOW, true));
      assertUnchanged(
          done, complete(done, shared(OTHER)), new ClaimAnswer.Done(Bytes.EMPTY, NOW, false));
    }

    @Test
    void done_mark_drops_origin_and_doubt() {
      Mark done = complete(EXPIRED, shared(OTHER)).next();
      assertThat(done.claim().origin()).isEqualTo(Origin.NONE);
      assertThat(done.claim().attempt().inDoubt()).isFalse();
    }
  }

  @Nested
  @DisplayName("what a dead mark keeps")
  class Reasons {

    @Test
    void reason_is_kept_whole_up_to_its_limit() {
      String longest = "x".repeat(Verdict.MAX_REASON_BYTES);
      Mark dead = settle(LEASED, MY_CLAIM, new Verdict.Dead(longest)).next();
      assertThat(claim(dead, shared(OTHER)).answer()).isEqualTo(new ClaimAnswer.Dead(longest));
    }

    @Test
    void reason_is_cut_at_its_limit() {
      String tooLong = "é".repeat(Verdict.MAX_REASON_BYTES);
      Mark dead = settle(LEASED, MY_CLAIM, new Verdict.Dead(tooLong)).next();
      assertThat(new String(dead.detail().toByteArray(), StandardCharsets.UTF_8))
          .isEqualTo("é".repeat(Verdict.MAX_REASON_BYTES / 2));
    }

    @Test
    void retry_of_no_delay_is_due_at_once() {
      Mark failed =
          settle(LEASED, MY_CLAIM, new Verdict.Retry(Duration.ZERO, false)).next();
      assertThat(acquired(claim(failed, shared(OTHER))).kind()).isEqualTo(Kind.RETRY);
      assertThat(settle(LEASED, MY_CLAIM, RETRY_VERDICT).next().until())
          .isEqualTo(NOW.plus(BACKOFF));
    }
  }
}
