package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.mark.ClaimAnswer.Conflict;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimAnswer.TooLate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules that hold in every row of the machine's table. */
@DisplayName("the mark machine's rules")
class MarkMachineRulesTest extends SampleMarks {

  static Stream<Mark> allMarks() {
    return Stream.concat(Stream.of(ABSENT), marksThatStand().stream());
  }

  @Nested
  @DisplayName("invariant 11: another payload under the same id is a conflict")
  class Fingerprints {

    @ParameterizedTest
    @MethodSource("io.hapax.mark.SampleMarks#marksThatStand")
    void conflict_is_answered_in_every_state_even_to_a_late_claim_and_changes_nothing(Mark mark) {
      Conflict conflict = new Conflict(mark.state());
      ClaimRequest other = withPayload(solo(OTHER), OTHER_PAYLOAD);
      ClaimRequest mine = withPayload(shared(MINE), OTHER_PAYLOAD);
      assertUnchanged(mark, claim(mark, other), conflict);
      assertUnchanged(mark, claim(mark, mine), conflict);
      assertUnchanged(mark, claim(mark, notAfter(other, NOW.minusSeconds(1))), conflict);
      assertUnchanged(mark, complete(mark, other), conflict);
      assertUnchanged(mark, complete(mark, mine), conflict);
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
    }
  }

  @Nested
  @DisplayName("a look-up before a transaction")
  class LookUps {

    private static final Duration RETENTION = Duration.ofDays(8);

    private static Optional<ClaimAnswer.Done> findDone(Mark mark, ClaimRequest request) {
      return MarkMachine.findDone(mark, request, RETENTION, NOW);
    }

    private static ClaimRequest request(Fingerprint fingerprint, Instant notAfter) {
      ClaimTerms terms = new ClaimTerms(false, false, notAfter);
      return new ClaimRequest(KEY, OTHER, fingerprint, ORIGIN, terms);
    }

    @Test
    void a_done_mark_is_answered_as_in_a_transaction() {
      for (Nonce nonce : List.of(MINE, OTHER)) {
        assertThat(findDone(DONE, shared(nonce)).orElseThrow())
            .isEqualTo(complete(DONE, shared(nonce)).answer());
      }
    }

    @Test
    void a_mark_in_another_state_is_not_answered() {
      assertThat(List.of(ABSENT, LEASED, EXPIRED, NOT_DUE, DUE, DEAD))
          .allSatisfy(mark -> assertThat(findDone(mark, shared(OTHER))).isEmpty());
    }

    @Test
    void another_payload_is_not_answered() {
      assertThat(findDone(DONE, request(OTHER_PAYLOAD, ClaimTerms.ANY_TIME))).isEmpty();
      assertThat(findDone(DONE, request(Fingerprint.NONE, ClaimTerms.ANY_TIME))).isPresent();
    }

    @Test
    void a_late_request_is_not_answered() {
      assertThat(findDone(DONE, request(PAYLOAD, NOW))).isPresent();
      assertThat(findDone(DONE, request(PAYLOAD, NOW.minusNanos(1000)))).isEmpty();
    }

    @Test
    void a_mark_is_answered_until_its_retention_ends() {
      Instant end = SETTLED.plus(RETENTION);

      assertThat(MarkMachine.findDone(DONE, shared(OTHER), RETENTION, end)).isPresent();
      assertThat(MarkMachine.findDone(DONE, shared(OTHER), RETENTION, end.plusNanos(1000)))
          .isEmpty();
    }
  }
}
