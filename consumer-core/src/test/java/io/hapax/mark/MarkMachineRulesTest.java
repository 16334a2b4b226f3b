package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.mark.ClaimAnswer.Conflict;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimAnswer.TooLate;
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
  }

  @Nested
  @DisplayName("invariant 4: tokens of a mark strictly increase")
  class Tokens {

    @Test
    void token_grows_by_one_when_the_clock_stops_or_goes_back() {
      long previous = EpochMicros.of(NOW);
      assertThat(MarkMachine.tokenAfter(previous, NOW)).isEqualTo(previous + 1);
      assertThat(MarkMachine.tokenAfter(previous, NOW.minusSeconds(60))).isEqualTo(previous + 1);
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

  @Test
  void retry_of_no_delay_is_due_at_once() {
    Mark failed =
        settle(LEASED, MY_CLAIM, new Verdict.Retry(Duration.ZERO, false)).next();
    assertThat(acquired(claim(failed, shared(OTHER))).kind()).isEqualTo(Kind.RETRY);
  }

  @Nested
  @DisplayName("a look-up before a transaction")
  class LookUps {

    private static final Duration RETENTION = Duration.ofDays(8);

    @Test
    void a_done_mark_is_answered_as_in_a_transaction() {
      for (Nonce nonce : List.of(MINE, OTHER)) {
        assertThat(MarkMachine.findDone(DONE, shared(nonce), RETENTION, NOW).orElseThrow())
            .isEqualTo(complete(DONE, shared(nonce)).answer());
      }
    }

    @Test
    void a_mark_is_answered_until_its_retention_ends() {
      Instant end = SETTLED.plus(RETENTION);

      assertThat(MarkMachine.findDone(DONE, shared(OTHER), RETENTION, end)).isPresent();
      assertThat(MarkMachine.findDone(DONE, shared(OTHER), RETENTION, end.plusNanos(1000)))
          .isEmpty();
    }
  }

  @Nested
  @DisplayName("the first deferral")
  class Deferrals {

    private static final long SINCE = MY_CLAIM.token();

    @Test
    void of_a_solo_claim_leaves_a_mark_that_is_not_solo() {
      Mark held = processing(new Attempt(2, true, true, false), NOW.plus(LEASE));
      Attempt next = settle(held, MY_CLAIM, DEFER_VERDICT).next().claim().attempt();
      assertThat(next).isEqualTo(new Attempt(1, false, true, false, SINCE));
    }

    @Test
    void is_read_back_from_its_stored_form() {
      Attempt never = new Attempt(1, false, true, true);
      Attempt since = new Attempt(1, false, true, true, SINCE);

      assertThat(never.deferral()).isEqualTo(Bytes.EMPTY);
      assertThat(never.withDeferral(never.deferral())).isEqualTo(never);
      assertThat(never.withDeferral(since.deferral())).isEqualTo(since);
    }

    @Test
    void has_no_negative_values() {
      assertThatThrownBy(() -> new Verdict.Defer(Duration.ofSeconds(-1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must not be negative");
      assertThatThrownBy(() -> new Attempt(1, false, true, false, -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("deferredSince");
    }
  }

  @Nested
  @DisplayName("in doubt")
  class InDoubt {

    @Test
    void doubt_is_kept_on_a_dead_mark_for_the_operator() {
      Mark doubtful = processing(new Attempt(1, false, true, true), NOW);
      Mark dead = settle(doubtful, MY_CLAIM, DEAD_VERDICT).next();
      assertThat(dead.claim().attempt().inDoubt()).isTrue();
    }

    @Test
    void lost_claim_that_acted_only_inside_the_store_leaves_no_doubt() {
      Mark lost = processing(new Attempt(1, true, false, false), NOW.minusSeconds(1));
      ClaimAnswer.Acquired taken = acquired(claim(lost, solo(OTHER)));
      assertThat(taken.claim().attempt().inDoubt()).isFalse();
      assertThat(taken.recovered()).as("a takeover all the same").isTrue();
    }

    @Test
    void the_lost_claim_decides_whether_its_loss_leaves_doubt() {
      ClaimTerms internal = new ClaimTerms(true, false, ClaimTerms.ANY_TIME);
      Attempt taken = acquired(claim(EXPIRED, request(OTHER, internal))).claim().attempt();
      assertThat(taken.inDoubt()).as("the lost claim was external").isTrue();
      assertThat(taken.external()).as("the new one is not").isFalse();
    }
  }
}
