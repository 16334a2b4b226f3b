package io.hapax.mark;

import static io.hapax.mark.MarkState.PROCESSING;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Stores with one mistake each that some project shipped, and what it costs a user. */
final class MarkMutants {

  private MarkMutants() {}

  /** The mutants with the invariant that each of them breaks, and what it means. */
  static Stream<Arguments> all() {
    return Stream.of(
        arguments(1, "a look-up must not take another state for done", new FindsAnyMarkDone()),
        arguments(
            3,
            "a lease judged by a client's clock lets two hold it",
            new BelievesTheCallersClock()),
        arguments(4, "release by delete lets counted tokens start again", new RestartsTokens()),
        arguments(
            5,
            "settling without a token check lets a late owner settle",
            new SettlesWithoutToken()),
        arguments(
            5, "the nonce alone is not enough once a mark was lost", new SettlesByNonceAlone()),
        arguments(
            5, "renewing without a token check lets a late owner renew", new RenewsWithoutToken()),
        arguments(9, "release by delete looks like a loss of the mark", new ReleasesByDelete()),
        arguments(
            5,
            "release without a token check gives back what another holds",
            new ReleasesWithoutOwnership()),
        arguments(
            5, "time alone must not fence an owner that was not replaced", new FencesByTime()),
        arguments(
            6, "a claim without a limit opens after its caller gave up", new IgnoresTheLimit()),
        arguments(6, "a claim sent again must not meet itself", new DoesNotKnowItsOwner()),
        arguments(
            6, "a claim that finds a message busy must not change its mark", new CountsBusy()),
        arguments(7, "a done mark must not be claimed again", new TakesDoneForAnExpiredLease()),
        arguments(7, "a dead mark must not be claimed again", new RevivesTheDead()),
        arguments(7, "a lost mark must not be written as dead", new WritesTheLostAsDead()),
        arguments(
            7,
            "a lost mark that was written anew must not become dead",
            new RenewsTheLostWithItsAttempt()),
        arguments(9, "the loss of a mark must be reported", new HidesTheLoss()),
        arguments(
            10,
            "a mark that goes with its lease hides that it is a suspect",
            new LivesAsLongAsItsLease()),
        arguments(
            9,
            "a takeover must report that another owner may have run",
            new TakesOverWithoutDoubt()),
        arguments(9, "a failure may have taken effect", new ForgetsDoubt()),
        arguments(10, "a lost batch costs its messages no attempt", new ChargesTheInnocent()),
        arguments(10, "what may kill its process is claimed alone", new TakesOverAmongOthers()),
        arguments(10, "a deferral costs no attempt", new ChargesForDeferrals()),
        arguments(
            10,
            "the first deferral is remembered by every later claim",
            new ForgetsTheFirstDeferral()),
        arguments(14, "what a vanished owner left must be taken over", new NeverTakesOver()));
  }

  /** Takes any row for a message that is done: the message is lost. */
  static final class FindsAnyMarkDone extends ExploredStore {
    @Override
    Optional<ClaimAnswer.Done> findDone(Mark mark, ClaimRequest request, Instant now) {
      return mark.state() == MarkState.ABSENT
          ? Optional.empty()
          : Optional.of(new ClaimAnswer.Done(Bytes.EMPTY, mark.until(), false));
    }
  }

  /** Settles by the key alone: a late owner ends the mark of its successor. */
  static final class SettlesWithoutToken extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      Claim claim = mark.state() == PROCESSING ? mark.claim() : settlement.claim();
      return super.settle(mark, new Settlement(claim, settlement.verdict()), now);
    }
  }

  /** Renews by the key alone: a replaced owner keeps the lease of another alive. */
  static final class RenewsWithoutToken extends ExploredStore {
    @Override
    Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease, Instant now) {
      return super.renew(mark, mark.state() == PROCESSING ? mark.claim() : claim, lease, now);
    }
  }

  /** Gives a claim back by deleting the row: a late owner writes the mark anew. */
  static class ReleasesByDelete extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      Transition<SettleAnswer> it = super.settle(mark, settlement, now);
      boolean released =
          settlement.verdict() instanceof Verdict.Release && !it.next().equals(mark);
      return released ? new Transition<>(Mark.absent(mark.key()), it.answer()) : it;
    }
  }

  /** Counts tokens in the row, and deletes the row: a late owner has the token of the new one. */
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

  /** Judges a lease by the time of the caller: a wrong clock steals or keeps leases. */
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

  /** Executes a claim whenever it arrives: a late command opens a lease without an owner. */
  static final class IgnoresTheLimit extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      ClaimRequest timeless = SampleMarks.notAfter(request, ClaimTerms.ANY_TIME);
      return super.claim(mark, timeless, lease, now, callersTime);
    }
  }

  /** Answers busy to an owner that asks again: a lost reply costs a lease. */
  static final class DoesNotKnowItsOwner extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      return mark.leasedAt(now)
          ? new Transition<>(mark, new ClaimAnswer.Busy(Duration.between(now, mark.until())))
          : super.claim(mark, request, lease, now, callersTime);
    }
  }

  /** Looks at the time of a mark before its state: a done message runs again. */
  static final class TakesDoneForAnExpiredLease extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      boolean taken = mark.state() == MarkState.DONE && !now.isBefore(mark.until());
      Mark found = taken ? Mark.absent(mark.key()) : mark;
      return super.claim(found, request, lease, now, callersTime);
    }
  }

  /** Writes a mark anew without a report: a repeat without an explanation. */
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

  /** Writes a lost mark as DEAD: a redriven message is acknowledged without running. */
  static final class WritesTheLostAsDead extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      boolean lost =
          mark.state() == MarkState.ABSENT && settlement.verdict() instanceof Verdict.Dead;
      Mark held = new Mark(settlement.claim(), PROCESSING, now, now, Bytes.EMPTY);
      return lost
          ? new Transition<>(
              super.settle(held, settlement, now).next(), new SettleAnswer.Settled(true))
          : super.settle(mark, settlement, now);
    }
  }

  /** Writes a lost mark anew with its attempt: a late settlement turns it dead. */
  static final class RenewsTheLostWithItsAttempt extends ExploredStore {
    @Override
    Transition<RenewAnswer> renew(Mark mark, Claim claim, Duration lease, Instant now) {
      Transition<RenewAnswer> it = super.renew(mark, claim, lease, now);
      boolean lost = it.answer() instanceof RenewAnswer.Renewed renewed && renewed.markLost();
      return lost
          ? new Transition<>(
              new Mark(claim, PROCESSING, now, it.next().until(), Bytes.EMPTY), it.answer())
          : it;
    }
  }

  /** Never takes over from a vanished owner: its messages are never handled again. */
  static final class NeverTakesOver extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      Transition<ClaimAnswer> it = super.claim(mark, request, lease, now, callersTime);
      boolean takeover =
          it.answer() instanceof Acquired acquired && acquired.kind() == Kind.TAKEOVER;
      return takeover
          ? new Transition<>(mark, new ClaimAnswer.Suspect(mark.claim().attempt()))
          : it;
    }
  }

  /** Ignores the token: after a lost mark two claims under one nonce settle each other. */
  static final class SettlesByNonceAlone extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      boolean known = mark.claim().nonce().equals(settlement.claim().nonce());
      Claim claim = known ? mark.claim() : settlement.claim();
      return super.settle(mark, new Settlement(claim, settlement.verdict()), now);
    }
  }

  /** Lets a refused caller give back what another holds: two handlers run at once. */
  static final class ReleasesWithoutOwnership extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      boolean any = settlement.verdict() instanceof Verdict.Release && mark.state() == PROCESSING;
      Claim claim = any ? mark.claim() : settlement.claim();
      return super.settle(mark, new Settlement(claim, settlement.verdict()), now);
    }
  }

  /** Fences an owner because its lease has expired: completed work is done again. */
  static final class FencesByTime extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      boolean over = mark.state() == PROCESSING && !mark.leasedAt(now);
      return over
          ? new Transition<>(mark, new SettleAnswer.Fenced(mark.state()))
          : super.settle(mark, settlement, now);
    }
  }

  /** Drops the mark with its lease: a takeover looks like a first run. */
  static final class LivesAsLongAsItsLease extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      boolean gone = mark.state() == PROCESSING && !mark.leasedAt(now);
      Transition<ClaimAnswer> it =
          super.claim(gone ? Mark.absent(mark.key()) : mark, request, lease, now, callersTime);
      return it.answer() instanceof Acquired ? it : new Transition<>(mark, it.answer());
    }
  }

  /** Opens a dead message to any caller: a redelivery runs again. */
  static final class RevivesTheDead extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      Mark found = mark.state() == MarkState.DEAD ? Mark.absent(mark.key()) : mark;
      return super.claim(found, request, lease, now, callersTime);
    }
  }

  /** Counts an attempt for a busy answer: a message that only waits is dead-lettered. */
  static final class CountsBusy extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      Transition<ClaimAnswer> it = super.claim(mark, request, lease, now, callersTime);
      return it.answer() instanceof ClaimAnswer.Busy
          ? new Transition<>(withAttempt(mark, attempt(mark, 1)), it.answer())
          : it;
    }
  }

  /** Charges a whole batch for the death of its process: innocent messages die. */
  static final class ChargesTheInnocent extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      boolean lost = mark.state() == PROCESSING && !mark.leasedAt(now);
      boolean shared = lost && !mark.claim().attempt().solo();
      Mark judged = shared ? withAttempt(mark, attempt(mark, 1)) : mark;
      Transition<ClaimAnswer> it = super.claim(judged, request, lease, now, callersTime);
      return it.answer() instanceof Acquired ? it : new Transition<>(mark, it.answer());
    }
  }

  /** Takes lost messages over together: the one that kills processes is never found. */
  static final class TakesOverAmongOthers extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      ClaimTerms terms = request.terms();
      ClaimTerms alone = new ClaimTerms(true, terms.external(), terms.notAfter());
      return super.claim(mark, SampleMarks.withTerms(request, alone), lease, now, callersTime);
    }
  }

  /** Hides from the successor that the message may have run: it is paid twice, unasked. */
  static final class TakesOverWithoutDoubt extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      Attempt last = mark.claim().attempt();
      Attempt certain =
          new Attempt(last.number(), last.solo(), false, last.inDoubt(), last.deferredSince());
      boolean other = !mark.claim().nonce().equals(request.nonce());
      Mark judged = other ? withAttempt(mark, certain) : mark;
      Transition<ClaimAnswer> it = super.claim(judged, request, lease, now, callersTime);
      return it.answer() instanceof Acquired ? it : new Transition<>(mark, it.answer());
    }
  }

  /** Takes every failure for one before the effect: an effect is repeated, unasked. */
  static final class ForgetsDoubt extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      Verdict verdict = settlement.verdict() instanceof Verdict.Retry retry
          ? new Verdict.Retry(retry.after(), false)
          : settlement.verdict();
      return super.settle(mark, new Settlement(settlement.claim(), verdict), now);
    }
  }

  /** Counts a deferral as an attempt: a message that only waits is dead-lettered. */
  static final class ChargesForDeferrals extends ExploredStore {
    @Override
    Transition<SettleAnswer> settle(Mark mark, Settlement settlement, Instant now) {
      Verdict verdict = settlement.verdict() instanceof Verdict.Defer defer
          ? new Verdict.Retry(defer.after(), false)
          : settlement.verdict();
      return super.settle(mark, new Settlement(settlement.claim(), verdict), now);
    }
  }

  /** Takes each deferral for the first one: a message can be deferred for ever. */
  static final class ForgetsTheFirstDeferral extends ExploredStore {
    @Override
    Transition<ClaimAnswer> claim(
        Mark mark, ClaimRequest request, Duration lease, Instant now, Instant callersTime) {
      Transition<ClaimAnswer> it = super.claim(mark, request, lease, now, callersTime);
      if (!(it.answer() instanceof Acquired acquired)) {
        return it;
      }
      Claim forgetful = acquired.claim().with(acquired.claim().attempt().dead());
      Acquired told =
          new Acquired(forgetful, acquired.kind(), acquired.leaseUntil(), acquired.previous());
      return new Transition<>(withAttempt(it.next(), forgetful.attempt()), told);
    }
  }

  private static Attempt attempt(Mark mark, int more) {
    Attempt it = mark.claim().attempt();
    return new Attempt(
        it.number() + more, it.solo(), it.external(), it.inDoubt(), it.deferredSince());
  }

  private static Mark withAttempt(Mark mark, Attempt attempt) {
    return new Mark(
        mark.claim().with(attempt), mark.state(), mark.claimedAt(), mark.until(), mark.detail());
  }
}
