package io.hapax.mark;

import static io.hapax.mark.MarkState.PROCESSING;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import java.time.Duration;
import java.time.Instant;

/** Stores with one mistake each, all of them made by somebody before. */
final class MarkMutants {

  private MarkMutants() {}

  /** Updates the row by its key alone. */
  static final class SettlesWithoutToken extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      Claim claim = mark.state() == PROCESSING ? mark.claim() : settlement.claim();
      return super.settle(mark, new Settlement(claim, settlement.verdict()), now);
    }
  }

  /** Renews the row by its key alone. */
  static final class RenewsWithoutToken extends ExploredStore {
    @Override
    Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease, Instant now) {
      return super.renew(mark, mark.state() == PROCESSING ? mark.claim() : claim, lease, now);
    }
  }

  /** Gives a claim back by deleting the row. */
  static class ReleasesByDelete extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      Transition<SettleAnswer> it = super.settle(mark, settlement, now);
      boolean released =
          settlement.verdict() instanceof Verdict.Release && !it.next().equals(mark);
      return released ? new Transition<>(Mark.absent(mark.key()), it.answer()) : it;
    }
  }

  /** Counts tokens in the row, and deletes the row. */
  static final class RestartsTokens extends ReleasesByDelete {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      Transition<ClaimAnswer> it = super.claim(mark, request, lease, now, callersTime);
      if (!(it.answer() instanceof Acquired acquired) || acquired.kind() == Kind.RESENT) {
        return it;
      }
      Claim own = acquired.claim();
      Claim counted = new Claim(
          own.key(),
          own.nonce(),
          mark.claim().token() + 1,
          own.attempt(),
          own.fingerprint(),
          own.origin());
      Mark next = it.next();
      return new Transition<>(
          new Mark(counted, next.state(), next.claimedAt(), next.until(), next.detail()),
          new Acquired(counted, acquired.kind(), acquired.leaseUntil(), acquired.previous()));
    }
  }

  /** Compares the end of a lease with the time that the caller sent along. */
  static final class BelievesTheCallersClock extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      Instant seen = mark.until().minus(Duration.between(now, callersTime));
      boolean over = mark.leasedAt(now) && !callersTime.isBefore(mark.until());
      Mark judged =
          over ? new Mark(mark.claim(), mark.state(), mark.claimedAt(), seen, mark.detail()) : mark;
      Transition<ClaimAnswer> it = super.claim(judged, request, lease, now, callersTime);
      return it.next().equals(judged) ? new Transition<>(mark, it.answer()) : it;
    }
  }

  /** Executes a claim whenever it arrives. */
  static final class IgnoresTheLimit extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      ClaimRequest timeless = SampleMarks.notAfter(request, ClaimTerms.ANY_TIME);
      return super.claim(mark, timeless, lease, now, callersTime);
    }
  }

  /** Answers an owner who asks again that somebody, namely itself, holds the mark. */
  static final class DoesNotKnowItsOwner extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      return mark.leasedAt(now)
          ? new Transition<>(mark, new ClaimAnswer.Busy(Duration.between(now, mark.until())))
          : super.claim(mark, request, lease, now, callersTime);
    }
  }

  /** Looks at the time of a mark before it looks at its state. */
  static final class TakesDoneForALeaseThatIsOver extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      boolean taken = mark.state() == MarkState.DONE && !now.isBefore(mark.until());
      Mark found = taken ? Mark.absent(mark.key()) : mark;
      return super.claim(found, request, lease, now, callersTime);
    }
  }

  /** Writes a mark anew without a word. */
  static final class HidesTheLoss extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      return new Transition<>(
          super.settle(mark, settlement, now).next(),
          super.settle(mark, settlement, now)
              .answer()
              .match(settled -> new SettleAnswer.Settled(false), it -> it, it -> it));
    }
  }

  /** Never takes over what a vanished owner left. */
  static final class NeverTakesOver extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      Transition<ClaimAnswer> it = super.claim(mark, request, lease, now, callersTime);
      boolean takeover =
          it.answer() instanceof Acquired acquired && acquired.kind() == Kind.TAKEOVER;
      return takeover ? new Transition<>(mark, new ClaimAnswer.Suspect()) : it;
    }
  }
}
