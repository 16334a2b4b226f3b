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
import java.time.Duration;
import java.time.InstantSource;

/** Stores with one bug each in claims. */
final class BrokenClaims {

  private BrokenClaims() {}

  static final class ExecutesLateClaims extends MachineStore {
    ExecutesLateClaims(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      if (request.key().toString().endsWith("/late")) {
        return super.claim(mark, request, lease);
      }
      ClaimTerms terms = request.terms();
      ClaimTerms unlimited = new ClaimTerms(terms.solo(), terms.external(), ClaimTerms.ANY_TIME);
      return super.claim(mark, Bench.withTerms(request, unlimited), lease);
    }
  }

  static final class StealsLeases extends MachineStore {
    StealsLeases(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Mark over = new Mark(mark.claim(), mark.state(), mark.claimedAt(), now(), mark.detail());
      return super.claim(mark.leasedAt(now()) ? over : mark, request, lease);
    }
  }

  static final class TakesOverWithoutSolo extends MachineStore {
    TakesOverWithoutSolo(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      ClaimTerms terms = request.terms();
      return super.claim(
          mark,
          Bench.withTerms(request, new ClaimTerms(true, terms.external(), terms.notAfter())),
          lease);
    }
  }

  static final class NewTokenForResend extends MachineStore {
    NewTokenForResend(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Transition<ClaimAnswer> right = super.claim(mark, request, lease);
      if (right.answer() instanceof ClaimAnswer.Acquired it
          && it.kind() == ClaimAnswer.Kind.RESENT) {
        Claim claim = Bench.withToken(it.claim(), it.claim().token() + 1);
        Mark next =
            new Mark(claim, MarkState.PROCESSING, mark.claimedAt(), it.leaseUntil(), Bytes.EMPTY);
        return new Transition<>(
            next, new ClaimAnswer.Acquired(claim, it.kind(), it.leaseUntil(), it.previous()));
      }
      return right;
    }
  }

  static final class OpensToOldNonces extends MachineStore {
    OpensToOldNonces(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Claim it = mark.claim();
      Claim nobodys =
          new Claim(it.key(), Nonce.NONE, it.token(), it.attempt(), it.fingerprint(), it.origin());
      boolean givenBack = mark.state() == MarkState.RETRY;
      return super.claim(givenBack ? with(mark, nobodys) : mark, request, lease);
    }
  }

  static final class CountsBusy extends MachineStore {
    CountsBusy(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Transition<ClaimAnswer> right = super.claim(mark, request, lease);
      if (!(right.answer() instanceof ClaimAnswer.Busy)) {
        return right;
      }
      Claim it = mark.claim();
      Attempt last = it.attempt();
      Attempt more = new Attempt(
          last.number() + 1, last.solo(), last.external(), last.inDoubt(), last.deferredSince());
      Claim counted =
          new Claim(it.key(), it.nonce(), it.token(), more, it.fingerprint(), it.origin());
      return new Transition<>(with(mark, counted), right.answer());
    }
  }

  static final class LivesAsLongAsItsLease extends MachineStore {
    LivesAsLongAsItsLease(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      boolean over = mark.state() == MarkState.PROCESSING && !mark.leasedAt(now());
      return super.claim(over ? Mark.absent(mark.key()) : mark, request, lease);
    }
  }

  static final class ComparesNoPayloadsOfDone extends MachineStore {
    ComparesNoPayloadsOfDone(InstantSource clock, Duration retention) {
      super(clock, retention);
    }

    @Override
    protected Transition<ClaimAnswer> claim(Mark mark, ClaimRequest request, Duration lease) {
      Fingerprint known =
          mark.state() == MarkState.DONE ? mark.claim().fingerprint() : request.fingerprint();
      return super.claim(mark, Bench.withFingerprint(request, known), lease);
    }
  }

  static Mark with(Mark mark, Claim claim) {
    return new Mark(claim, mark.state(), mark.claimedAt(), mark.until(), mark.detail());
  }
}
