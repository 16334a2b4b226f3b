package io.hapax.mark;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.RenewAnswer.Renewed;
import io.hapax.mark.SettleAnswer.Settled;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Executes each verb and holds what the store says against what it has said before. It judges by
 * answers and by its own memory, not by the rules of the machine.
 */
final class ExploredInvariants {

  private static final Duration LEASE = ExploredWorld.LEASE;
  private static final Duration WRONG_CLOCK = LEASE.multipliedBy(2);

  private final ExploredStore store;

  ExploredInvariants(ExploredStore store) {
    this.store = store;
  }

  /** A rule was broken. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int invariant;

    Broken(int invariant, String message) {
      super("invariant " + invariant + ": " + message);
      this.invariant = invariant;
    }

    int invariant() {
      return invariant;
    }

    static void unless(boolean holds, int invariant, String broken) {
      if (!holds) {
        throw new Broken(invariant, broken);
      }
    }
  }

  /** What a verb led to. */
  record Executed<A>(ExploredMessage message, A answer) {}

  Executed<ClaimAnswer> claim(ExploredMessage it, ClaimRequest request, Instant now) {
    Mark mark = it.mark();
    Transition<ClaimAnswer> done = store.claim(mark, request, LEASE, now, now);
    checkClocks(mark, request, now, done);
    checkFinal(mark, done.next());
    if (!(done.answer() instanceof Acquired acquired)) {
      Broken.unless(done.next().equals(mark), 6, "a refused claim changed the mark");
      return new Executed<>(it, done.answer());
    }
    checkGrant(it, request, acquired, now);
    Transition<ClaimAnswer> again = store.claim(done.next(), request, LEASE, now, now);
    boolean same =
        again.answer() instanceof Acquired repeated && repeated.claim().equals(acquired.claim());
    if (!same || !again.next().equals(done.next())) {
      throw new Broken(6, "a claim sent again was answered " + again.answer());
    }
    return new Executed<>(
        it.granted(done.next(), acquired.claim(), acquired.leaseUntil()), acquired);
  }

  /** Looks up without a change. An acknowledgement that follows from the answer is checked. */
  Optional<ClaimAnswer.Done> findDone(ExploredMessage it, ClaimRequest request, Instant now) {
    return store.findDone(it.mark(), request, now);
  }

  private void checkClocks(
      Mark mark, ClaimRequest request, Instant now, Transition<ClaimAnswer> it) {
    Instant early = now.minus(WRONG_CLOCK);
    Instant ahead = now.plus(WRONG_CLOCK);
    Broken.unless(
        it.equals(store.claim(mark, request, LEASE, now, early))
            && it.equals(store.claim(mark, request, LEASE, now, ahead)),
        3,
        "the clock of a client decides over a lease");
  }

  private static void checkGrant(
      ExploredMessage it, ClaimRequest request, Acquired acquired, Instant now) {
    Claim claim = acquired.claim();
    boolean resent = acquired.kind() == Kind.RESENT;
    boolean holds = it.isCurrent(claim);
    Broken.unless(
        !now.isAfter(request.terms().notAfter()),
        6,
        "a claim opened the mark after its caller gave up");
    Broken.unless(!resent || holds, 6, "a claim was confirmed that is not the current one");
    Broken.unless(
        holds || !now.isBefore(it.leaseUntil()),
        3,
        "a second lease was granted while another lived");
    if (!resent) {
      Broken.unless(
          claim.token() > it.greatestToken(), 4, "a token was granted that is not the greatest");
      checkAttempt(it.mark(), request, claim.attempt());
    }
  }

  /** What a claim costs, and what it says of those before it. */
  private static void checkAttempt(Mark before, ClaimRequest request, Attempt attempt) {
    Attempt last = before.claim().attempt();
    boolean takeover = before.state() == MarkState.PROCESSING;
    Broken.unless(
        !takeover || request.terms().solo(), 10, "a lost claim was taken over among others");
    int expected = takeover && !last.solo() ? last.number() : last.number() + 1;
    Broken.unless(
        attempt.number() == Math.max(1, expected),
        10,
        "losing " + last + " was followed by " + attempt);
    Broken.unless(
        attempt.deferredSince() == last.deferredSince(),
        10,
        "the claim after " + last + " forgot the first deferral: " + attempt);
    Broken.unless(
        attempt.inDoubt() == (takeover || last.inDoubt()),
        9,
        "whoever follows " + last + " is told " + attempt);
  }

  Executed<RenewAnswer> renew(ExploredMessage it, Claim claim, Instant now) {
    Mark mark = it.mark();
    Transition<RenewAnswer> done = store.renew(mark, claim, LEASE, now);
    checkFinal(mark, done.next());
    if (!(done.answer() instanceof Renewed renewed)) {
      Broken.unless(done.next().equals(mark), 5, "a fenced renewal changed the mark");
      Broken.unless(!it.isCurrent(claim) || !open(mark), 5, "the current owner was fenced");
      return new Executed<>(it, done.answer());
    }
    checkCurrent(it, claim);
    checkTold(it.current().isEmpty(), renewed.markLost());
    Transition<RenewAnswer> again = store.renew(done.next(), claim, LEASE, now);
    if (!(again.answer() instanceof Renewed) || !again.next().equals(done.next())) {
      throw new Broken(6, "a renewal sent again was answered " + again.answer());
    }
    return new Executed<>(it.kept(done.next(), claim, renewed.leaseUntil()), renewed);
  }

  Executed<SettleAnswer> settle(ExploredMessage it, Settlement settlement, Instant now) {
    Mark mark = it.mark();
    Claim claim = settlement.claim();
    Transition<SettleAnswer> done = store.settle(mark, settlement, now);
    checkFinal(mark, done.next());
    if (!(done.answer() instanceof Settled settled)) {
      Broken.unless(done.next().equals(mark), 5, "a fenced settlement changed the mark");
      Broken.unless(!it.isCurrent(claim) || !open(mark), 5, "the current owner was fenced");
      return new Executed<>(it, done.answer());
    }
    boolean nothingThere = it.current().isEmpty() && done.next().equals(mark);
    boolean released = settlement.verdict() instanceof Verdict.Release;
    boolean dead = settlement.verdict() instanceof Verdict.Dead;
    boolean lost = it.current().isEmpty() || (dead && it.anew());
    Broken.unless(
        !lost || done.next().state() != MarkState.DEAD,
        7,
        "a lost mark is DEAD, although its message may have been brought back since");
    if (!(nothingThere && released)) {
      checkCurrent(it, claim);
      checkTold(lost, settled.markLost());
    }
    Transition<SettleAnswer> again = store.settle(done.next(), settlement, now);
    if (!(again.answer() instanceof Settled) || !again.next().equals(done.next())) {
      throw new Broken(6, "a settlement sent again was answered " + again.answer());
    }
    checkDoubt(mark, settlement, done.next());
    checkDeferral(it, settlement, done.next());
    return new Executed<>(nothingThere ? it : it.kept(done.next(), claim, Instant.EPOCH), settled);
  }

  private static boolean open(Mark mark) {
    return mark.state() == MarkState.PROCESSING;
  }

  /** Which claims may renew and settle: the current one, or any once the mark was lost. */
  private static void checkCurrent(ExploredMessage it, Claim claim) {
    Broken.unless(
        it.current().isEmpty() || it.isCurrent(claim), 5, "a late owner's verb was accepted");
  }

  private static void checkTold(boolean lost, boolean told) {
    Broken.unless(lost == told, 9, "the loss of the mark was not told, or told without a loss");
  }

  private static void checkDoubt(Mark mark, Settlement settlement, Mark next) {
    if (next.state() == MarkState.RETRY && open(mark)) {
      boolean told = settlement.verdict() instanceof Verdict.Retry retry && retry.inDoubt();
      boolean buried = settlement.verdict() instanceof Verdict.Dead;
      Broken.unless(
          next.claim().attempt().inDoubt()
              == (!buried && (told || mark.claim().attempt().inDoubt())),
          9,
          "the doubt over an effect was forgotten, or made up");
    }
  }

  /** A deferral costs no attempt, and the first one is remembered. */
  private static void checkDeferral(ExploredMessage it, Settlement settlement, Mark next) {
    boolean resent = it.mark().state() == MarkState.RETRY;
    if (!(settlement.verdict() instanceof Verdict.Defer) || resent) {
      return;
    }
    Attempt held = settlement.claim().attempt();
    Attempt left = next.claim().attempt();
    Broken.unless(
        next.state() == MarkState.RETRY && left.number() == Math.max(0, held.number() - 1),
        10,
        "deferring " + held + " left " + left);
    long first = held.deferredSince() == 0 ? settlement.claim().token() : held.deferredSince();
    Broken.unless(left.deferredSince() == first, 10, "the first deferral was forgotten");
  }

  private static void checkFinal(Mark mark, Mark next) {
    boolean over = mark.state() == MarkState.DONE || mark.state() == MarkState.DEAD;
    Broken.unless(!over || next.equals(mark), 7, "a mark that was DONE or DEAD changed");
  }
}
