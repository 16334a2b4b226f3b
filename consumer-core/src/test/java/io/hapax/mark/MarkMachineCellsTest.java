package io.hapax.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ClaimAnswer.TooLate;
import io.hapax.mark.RenewAnswer.Renewed;
import io.hapax.mark.SettleAnswer.Settled;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cells of the machine's table. {@link MarkMachineRulesTest} tests which owners are fenced, and
 * {@link MarkMachineResolvingTest} what operators may do.
 */
@DisplayName("the mark machine, cell by cell")
class MarkMachineCellsTest extends SampleMarks {

  private static final ClaimAnswer.Previous ME =
      new ClaimAnswer.Previous("host-1/orders", MY_CLAIM.token(), Duration.between(CLAIMED, NOW));
  private static final ClaimAnswer OWN_DONE = new ClaimAnswer.Done(RECEIPT, SETTLED, true);
  private static final ClaimAnswer OTHERS_DONE = new ClaimAnswer.Done(RECEIPT, SETTLED, false);
  private static final ClaimAnswer DEAD_ANSWER = new ClaimAnswer.Dead("no such customer");
  private static final ClaimAnswer SUSPECT =
      new ClaimAnswer.Suspect(EXPIRED.claim().attempt());
  private static final ClaimAnswer TOO_LATE = new TooLate(NOW);
  private static final SettleAnswer SETTLED_LOST = new Settled(true);
  private static final Instant LEASE_END = NOW.plus(LEASE);

  private static final Claim FRESH = acquiredNow(FIRST);
  private static final Claim NEXT = acquiredNow(new Attempt(2, false, true, false));
  private static final Claim TAKEN_SOLO = acquiredNow(new Attempt(1, true, true, true));
  private static final Claim TAKEN = acquiredNow(new Attempt(1, false, true, true));
  private static final Claim GIVEN_BACK = MY_CLAIM.with(new Attempt(0, false, true, false));
  private static final Claim DEFERRED =
      MY_CLAIM.with(new Attempt(0, false, true, false, MY_CLAIM.token()));

  private static final Mark ANEW = writtenAnew(NOW.plusSeconds(20));
  private static final Mark REOPENED = retry(GIVEN_BACK, NOW, NOW);

  private static Mark held(Claim claim) {
    return new Mark(claim, MarkState.PROCESSING, NOW, LEASE_END, Bytes.EMPTY);
  }

  private static Mark retry(Claim claim, Instant claimedAt, Instant due) {
    return new Mark(claim, MarkState.RETRY, claimedAt, due, Bytes.EMPTY);
  }

  private static ClaimAnswer acquired(Claim claim, Kind kind, Instant until) {
    Optional<ClaimAnswer.Previous> previous =
        kind == Kind.TAKEOVER ? Optional.of(ME) : Optional.empty();
    return new Acquired(claim, kind, until, previous);
  }

  static Stream<Arguments> absent() {
    return Stream.of(
        arguments(
            "claim acquires it afresh",
            claim(ABSENT, shared(OTHER)),
            held(FRESH),
            acquired(FRESH, Kind.FRESH, LEASE_END)),
        arguments(
            "complete acquires it and marks it done in one step",
            complete(ABSENT, shared(OTHER)),
            done(FRESH, NOW, Bytes.EMPTY),
            acquired(FRESH, Kind.FRESH, NOW)),
        arguments(
            "renew writes it anew with its token and reports the loss",
            renew(ABSENT, MY_CLAIM),
            writtenAnew(LEASE_END),
            new Renewed(LEASE_END, true)),
        arguments(
            "done is written and reports that the mark was lost",
            settle(ABSENT, MY_CLAIM, DONE_VERDICT),
            done(MY_CLAIM, NOW, RECEIPT),
            SETTLED_LOST),
        arguments(
            "retry is written and reports that the mark was lost",
            settle(ABSENT, MY_CLAIM, RETRY_VERDICT),
            retry(MY_CLAIM, NOW, NOW.plus(BACKOFF)),
            SETTLED_LOST),
        arguments(
            "defer is written and reports that the mark was lost",
            settle(ABSENT, MY_CLAIM, DEFER_VERDICT),
            retry(DEFERRED, NOW, NOW.plus(BACKOFF)),
            SETTLED_LOST));
  }

  static Stream<Arguments> sameNonce() {
    return Stream.of(
        arguments(
            "claim sent again gets the same token and attempt and a longer lease",
            claim(LEASED, shared(MINE)),
            processing(FIRST, LEASE_END),
            acquired(MY_CLAIM, Kind.RESENT, LEASE_END)),
        arguments(
            "complete ends the same claim",
            complete(LEASED, shared(MINE)),
            done(MY_CLAIM, CLAIMED, Bytes.EMPTY),
            acquired(MY_CLAIM, Kind.RESENT, LEASED.until())),
        arguments(
            "renew prolongs the lease",
            renew(LEASED, MY_CLAIM),
            processing(FIRST, LEASE_END),
            new Renewed(LEASE_END, false)),
        arguments(
            "done is written",
            settle(LEASED, MY_CLAIM, DONE_VERDICT),
            done(MY_CLAIM, CLAIMED, RECEIPT),
            SETTLED_ANSWER),
        arguments(
            "retry is written and due after the backoff",
            settle(LEASED, MY_CLAIM, RETRY_VERDICT),
            retry(FIRST, NOW.plus(BACKOFF)),
            SETTLED_ANSWER),
        arguments(
            "release makes it due at once and gives the attempt back",
            settle(LEASED, MY_CLAIM, RELEASE_VERDICT),
            retry(GIVEN_BACK, CLAIMED, NOW),
            SETTLED_ANSWER),
        arguments(
            "defer makes it due after the wait and gives the attempt back",
            settle(LEASED, MY_CLAIM, DEFER_VERDICT),
            retry(DEFERRED, CLAIMED, NOW.plus(BACKOFF)),
            SETTLED_ANSWER),
        arguments(
            "dead is written with its reason",
            settle(LEASED, MY_CLAIM, DEAD_VERDICT),
            new Mark(MY_CLAIM, MarkState.DEAD, CLAIMED, NOW, Bytes.utf8("no such customer")),
            SETTLED_ANSWER));
  }

  static Stream<Arguments> lostBefore() {
    return Stream.of(
        arguments(
            "dead makes it due at once as if it was reopened",
            settle(ANEW, MY_CLAIM, DEAD_VERDICT),
            REOPENED,
            SETTLED_LOST),
        arguments(
            "done is written",
            settle(ANEW, MY_CLAIM, DONE_VERDICT),
            done(MY_CLAIM, NOW, RECEIPT),
            SETTLED_ANSWER),
        arguments(
            "retry is written with the attempt of its owner",
            settle(ANEW, MY_CLAIM, RETRY_VERDICT),
            retry(MY_CLAIM, NOW, NOW.plus(BACKOFF)),
            SETTLED_ANSWER),
        arguments(
            "release gives the attempt back",
            settle(ANEW, MY_CLAIM, RELEASE_VERDICT),
            REOPENED,
            SETTLED_ANSWER),
        arguments(
            "defer gives the attempt of its owner back",
            settle(ANEW, MY_CLAIM.with(new Attempt(2, false, true, false)), DEFER_VERDICT),
            retry(
                MY_CLAIM.with(new Attempt(1, false, true, false, MY_CLAIM.token())),
                NOW,
                NOW.plus(BACKOFF)),
            SETTLED_ANSWER));
  }

  static Stream<Arguments> open() {
    return Stream.of(
        arguments(
            "lease expired: a solo claim takes it over with a new token and in doubt",
            claim(EXPIRED, solo(OTHER)),
            held(TAKEN_SOLO),
            acquired(TAKEN_SOLO, Kind.TAKEOVER, LEASE_END)),
        arguments(
            "lease expired: complete takes it over even if it is not solo",
            complete(EXPIRED, shared(OTHER)),
            done(TAKEN, NOW, Bytes.EMPTY),
            acquired(TAKEN, Kind.TAKEOVER, NOW)),
        arguments(
            "RETRY, due: a claim with a new nonce acquires the next attempt",
            claim(DUE, shared(OTHER)),
            held(NEXT),
            acquired(NEXT, Kind.RETRY, LEASE_END)),
        arguments(
            "RETRY, due: complete with a new nonce marks it done",
            complete(DUE, shared(OTHER)),
            done(NEXT, NOW, Bytes.EMPTY),
            acquired(NEXT, Kind.RETRY, NOW)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"absent", "sameNonce", "lostBefore", "open"})
  void a_cell_writes_its_mark_and_gives_its_answer(
      String cell, Transition<?> transition, Mark next, Object answer) {
    assertThat(transition.answer()).isEqualTo(answer);
    assertThat(transition.next()).as("the mark").isEqualTo(next);
  }

  static Stream<Arguments> unchanged() {
    return Stream.of(
        arguments(
            "absent, RELEASE", ABSENT, settle(ABSENT, MY_CLAIM, RELEASE_VERDICT), SETTLED_ANSWER),
        arguments("absent, DEAD", ABSENT, settle(ABSENT, MY_CLAIM, DEAD_VERDICT), SETTLED_LOST),
        arguments("absent, reopen", ABSENT, reopen(ABSENT), false),
        arguments("absent, force done", ABSENT, forceDone(ABSENT), false),
        arguments(
            "reopened, DEAD", REOPENED, settle(REOPENED, MY_CLAIM, DEAD_VERDICT), SETTLED_LOST),
        arguments(
            "reopened, DONE",
            REOPENED,
            settle(REOPENED, MY_CLAIM, DONE_VERDICT),
            fenced(MarkState.RETRY)),
        arguments(
            "reopened, late",
            REOPENED,
            settle(REOPENED, LATE_CLAIM, DEAD_VERDICT),
            fenced(MarkState.RETRY)),
        arguments("lease alive, claim", LEASED, claim(LEASED, shared(OTHER)), busy(20)),
        arguments("lease alive, solo claim", LEASED, claim(LEASED, solo(OTHER)), busy(20)),
        arguments("lease alive, complete", LEASED, complete(LEASED, shared(OTHER)), busy(20)),
        arguments("lease expired, claim", EXPIRED, claim(EXPIRED, shared(OTHER)), SUSPECT),
        arguments("not due, claim", NOT_DUE, claim(NOT_DUE, shared(OTHER)), busy(3)),
        arguments("not due, claim again", NOT_DUE, claim(NOT_DUE, shared(MINE)), busy(3)),
        arguments("not due, complete", NOT_DUE, complete(NOT_DUE, shared(OTHER)), busy(3)),
        arguments("due, claim again", DUE, claim(DUE, shared(MINE)), TOO_LATE),
        arguments("due, complete again", DUE, complete(DUE, shared(MINE)), TOO_LATE),
        arguments("DONE, claim", DONE, claim(DONE, shared(OTHER)), OTHERS_DONE),
        arguments("DONE, claim again", DONE, claim(DONE, shared(MINE)), OWN_DONE),
        arguments("DONE, complete", DONE, complete(DONE, shared(OTHER)), OTHERS_DONE),
        arguments("DONE, complete again", DONE, complete(DONE, shared(MINE)), OWN_DONE),
        arguments("DONE, late", DONE, MarkMachine.takeBack(DONE, LATE_CLAIM, NOW), false),
        arguments("DEAD, claim", DEAD, claim(DEAD, shared(OTHER)), DEAD_ANSWER),
        arguments("DEAD, claim again", DEAD, claim(DEAD, shared(MINE)), DEAD_ANSWER),
        arguments("DEAD, complete", DEAD, complete(DEAD, shared(OTHER)), DEAD_ANSWER),
        arguments("DEAD, complete again", DEAD, complete(DEAD, shared(MINE)), DEAD_ANSWER));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unchanged")
  void a_cell_answers_and_changes_nothing(
      String cell, Mark mark, Transition<?> transition, Object answer) {
    assertUnchanged(mark, transition, answer);
  }

  @Test
  void an_owner_whose_lease_ran_out_may_still_claim_again_renew_and_settle() {
    assertThat(acquired(claim(EXPIRED, shared(MINE))).claim()).isEqualTo(MY_CLAIM);
    assertThat(renew(EXPIRED, MY_CLAIM).answer()).isEqualTo(new Renewed(LEASE_END, false));
    assertThat(List.of(DONE_VERDICT, RETRY_VERDICT, RELEASE_VERDICT, DEFER_VERDICT, DEAD_VERDICT))
        .allSatisfy(verdict ->
            assertThat(settle(EXPIRED, MY_CLAIM, verdict).answer()).isEqualTo(SETTLED_ANSWER));
  }

  @Test
  void a_doubt_goes_with_the_dead_letter_of_a_mark_that_was_written_anew() {
    Mark mark = processing(new Attempt(0, true, true, true), NOW.plusSeconds(20));

    Mark next = settle(mark, MY_CLAIM, DEAD_VERDICT).next();

    assertThat(next.claim().attempt()).isEqualTo(GIVEN_BACK.attempt());
  }

  @Test
  void lease_has_expired_at_the_instant_at_which_it_ends() {
    Mark ending = processing(FIRST, NOW);
    assertThat(acquired(claim(ending, solo(OTHER))).kind()).isEqualTo(Kind.TAKEOVER);
  }

  @Test
  void done_taken_back_by_its_last_owner_is_processing_in_doubt_and_without_a_lease() {
    Mark next = MarkMachine.takeBack(DONE, MY_CLAIM, NOW).next();

    assertThat(next.state()).isEqualTo(MarkState.PROCESSING);
    assertThat(next.claim()).isEqualTo(MY_CLAIM.with(FIRST.doubtful()));
    assertThat(next.leasedAt(NOW)).isFalse();
  }
}
