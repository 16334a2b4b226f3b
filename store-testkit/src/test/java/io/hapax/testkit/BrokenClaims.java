package io.hapax.testkit;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.mark.Transition;
import io.hapax.testkit.BrokenStores.Broken;
import java.time.Duration;
import java.util.List;

/** Stores with one bug each in claims. */
final class BrokenClaims {

  static final List<Broken> ALL = List.of(
      new Broken(
          "executes claims that arrive too late",
          "a_claim_that_comes_after_its_time_changes_nothing",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> claim(
                Mark mark, ClaimRequest request, Duration lease) {
              if (request.key().toString().endsWith("/late")) {
                return super.claim(mark, request, lease);
              }
              ClaimTerms terms = request.terms();
              ClaimTerms unlimited =
                  new ClaimTerms(terms.solo(), terms.external(), ClaimTerms.ANY_TIME);
              return super.claim(mark, Bench.withTerms(request, unlimited), lease);
            }
          }),
      new Broken(
          "takes a living lease over",
          "another_nonce_is_busy_for_the_rest_of_the_lease",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> claim(
                Mark mark, ClaimRequest request, Duration lease) {
              Mark over =
                  new Mark(mark.claim(), mark.state(), mark.claimedAt(), now(), mark.detail());
              return super.claim(mark.leasedAt(now()) ? over : mark, request, lease);
            }
          }),
      new Broken(
          "takes over without a solo claim",
          "a_lost_claim_makes_the_message_a_suspect_that_needs_a_solo_claim",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> claim(
                Mark mark, ClaimRequest request, Duration lease) {
              ClaimTerms terms = request.terms();
              return super.claim(
                  mark,
                  Bench.withTerms(
                      request, new ClaimTerms(true, terms.external(), terms.notAfter())),
                  lease);
            }
          }),
      new Broken(
          "gives a resend a new token",
          "the_same_nonce_gets_the_same_claim_again_and_a_renewed_lease",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> claim(
                Mark mark, ClaimRequest request, Duration lease) {
              Transition<ClaimAnswer> right = super.claim(mark, request, lease);
              if (right.answer() instanceof ClaimAnswer.Acquired it
                  && it.kind() == ClaimAnswer.Kind.RESENT) {
                Claim claim = Bench.withToken(it.claim(), it.claim().token() + 1);
                Mark next = new Mark(
                    claim, MarkState.PROCESSING, mark.claimedAt(), it.leaseUntil(), Bytes.EMPTY);
                return new Transition<>(
                    next,
                    new ClaimAnswer.Acquired(claim, it.kind(), it.leaseUntil(), it.previous()));
              }
              return right;
            }
          }),
      new Broken(
          "compares no payloads once it is done",
          "another_payload_conflicts_with_a_settled_mark",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> claim(
                Mark mark, ClaimRequest request, Duration lease) {
              Fingerprint known = mark.state() == MarkState.DONE
                  ? mark.claim().fingerprint()
                  : request.fingerprint();
              return super.claim(mark, Bench.withFingerprint(request, known), lease);
            }
          }),
      new Broken(
          "opens a claim for the nonce of a released one",
          "the_nonce_of_a_released_claim_acquires_nothing",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> claim(
                Mark mark, ClaimRequest request, Duration lease) {
              Claim it = mark.claim();
              Claim nobodys = new Claim(
                  it.key(), Nonce.NONE, it.token(), it.attempt(), it.fingerprint(), it.origin());
              boolean givenBack = mark.state() == MarkState.RETRY;
              return super.claim(givenBack ? with(mark, nobodys) : mark, request, lease);
            }
          }),
      new Broken(
          "counts an attempt for being busy",
          "being_busy_costs_no_attempt",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> claim(
                Mark mark, ClaimRequest request, Duration lease) {
              Transition<ClaimAnswer> right = super.claim(mark, request, lease);
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
            }
          }),
      new Broken(
          "deletes a mark when its lease expires",
          "a_lost_claim_makes_the_message_a_suspect_that_needs_a_solo_claim",
          (clock, retention) -> new MachineStore(clock, retention) {
            @Override
            protected Transition<ClaimAnswer> claim(
                Mark mark, ClaimRequest request, Duration lease) {
              boolean over = mark.state() == MarkState.PROCESSING && !mark.leasedAt(now());
              return super.claim(over ? Mark.absent(mark.key()) : mark, request, lease);
            }
          }));

  private BrokenClaims() {}

  static Mark with(Mark mark, Claim claim) {
    return new Mark(claim, mark.state(), mark.claimedAt(), mark.until(), mark.detail());
  }
}
