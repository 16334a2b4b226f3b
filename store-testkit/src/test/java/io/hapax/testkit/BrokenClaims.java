package io.hapax.testkit;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.mark.Transition;
import io.hapax.testkit.BrokenStores.Broken;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;

/** Stores with one bug each in claims. */
final class BrokenClaims {

  /** Claims as {@link MarkMachine#claim} does, but for a bug. */
  interface Claims {
    Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease, Instant now);
  }

  static final List<Broken> ALL = List.of(
      new Broken(
          "executes claims that arrive too late",
          "a_claim_that_comes_after_its_time_changes_nothing",
          claims((mark, request, lease, now) -> {
            if (request.key().toString().endsWith("/late")) {
              return MarkMachine.claim(mark, request, lease, now);
            }
            ClaimTerms terms = request.terms();
            ClaimTerms unlimited =
                new ClaimTerms(terms.solo(), terms.external(), ClaimTerms.ANY_TIME);
            return MarkMachine.claim(mark, Bench.withTerms(request, unlimited), lease, now);
          })),
      new Broken(
          "takes a living lease over",
          "another_nonce_is_busy_for_the_rest_of_the_lease",
          claims((mark, request, lease, now) -> {
            Mark over = new Mark(mark.claim(), mark.state(), mark.claimedAt(), now, mark.detail());
            return MarkMachine.claim(mark.leasedAt(now) ? over : mark, request, lease, now);
          })),
      new Broken(
          "takes over without a solo claim",
          "a_mark_in_each_state_is_answered_and_changed_as_by_the_machine",
          claims((mark, request, lease, now) -> {
            ClaimTerms terms = request.terms();
            ClaimTerms solo = new ClaimTerms(true, terms.external(), terms.notAfter());
            return MarkMachine.claim(mark, Bench.withTerms(request, solo), lease, now);
          })),
      new Broken(
          "gives a resend a new token",
          "the_same_nonce_gets_the_same_claim_again_and_a_renewed_lease",
          claims((mark, request, lease, now) -> {
            Transition<ClaimAnswer> right = MarkMachine.claim(mark, request, lease, now);
            if (right.answer() instanceof ClaimAnswer.Acquired it
                && it.kind() == ClaimAnswer.Kind.RESENT) {
              Claim claim = Bench.withToken(it.claim(), it.claim().token() + 1);
              Mark next = new Mark(
                  claim, MarkState.PROCESSING, mark.claimedAt(), it.leaseUntil(), Bytes.EMPTY);
              return new Transition<>(
                  next, new ClaimAnswer.Acquired(claim, it.kind(), it.leaseUntil(), it.previous()));
            }
            return right;
          })),
      new Broken(
          "compares no payloads once it is done",
          "another_payload_conflicts_with_a_settled_mark",
          claims((mark, request, lease, now) -> {
            Fingerprint known =
                mark.state() == MarkState.DONE ? mark.claim().fingerprint() : request.fingerprint();
            return MarkMachine.claim(mark, Bench.withFingerprint(request, known), lease, now);
          })),
      new Broken(
          "opens a claim for the nonce of a released one",
          "the_nonce_of_a_released_claim_acquires_nothing",
          claims((mark, request, lease, now) -> {
            Claim it = mark.claim();
            Claim nobodys = new Claim(
                it.key(), Nonce.NONE, it.token(), it.attempt(), it.fingerprint(), it.origin());
            boolean givenBack = mark.state() == MarkState.RETRY;
            return MarkMachine.claim(givenBack ? with(mark, nobodys) : mark, request, lease, now);
          })),
      new Broken(
          "counts an attempt for being busy",
          "being_busy_costs_no_attempt",
          claims((mark, request, lease, now) -> {
            Transition<ClaimAnswer> right = MarkMachine.claim(mark, request, lease, now);
            if (!(right.answer() instanceof ClaimAnswer.Busy)) {
              return right;
            }
            Claim it = mark.claim();
            Attempt last = it.attempt();
            Attempt more = new Attempt(
                last.number() + 1,
                last.solo(),
                last.external(),
                last.inDoubt(),
                last.deferredSince());
            Claim counted =
                new Claim(it.key(), it.nonce(), it.token(), more, it.fingerprint(), it.origin());
            return new Transition<>(with(mark, counted), right.answer());
          })),
      new Broken(
          "deletes a mark when its lease expires",
          "a_mark_in_each_state_is_answered_and_changed_as_by_the_machine",
          claims((mark, request, lease, now) -> {
            boolean over = mark.state() == MarkState.PROCESSING && !mark.leasedAt(now);
            return MarkMachine.claim(over ? Mark.absent(mark.key()) : mark, request, lease, now);
          })));

  private BrokenClaims() {}

  static BiFunction<InstantSource, Duration, MachineStore> claims(Claims broken) {
    return (clock, retention) -> new MachineStore(clock, retention) {
      @Override
      protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
        return broken.claim(mark, request, lease, now());
      }
    };
  }

  static Mark with(Mark mark, Claim claim) {
    return new Mark(claim, mark.state(), mark.claimedAt(), mark.until(), mark.detail());
  }
}
