package io.hapax.mark;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Kind;
import io.hapax.mark.ExploredWorld.Seen;
import io.hapax.mark.RenewAnswer.Renewed;
import io.hapax.mark.SettleAnswer.Settled;
import java.time.Duration;
import java.time.Instant;

/**
 * Executes each verb and holds what the store says against what it has said before. It judges by
 * answers and by its own memory, not by the rules of the machine.
 */
final class ExploredInvariants {

  private static final Nonce NEWCOMER = new Nonce(99, 99);

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
  }

  /** What a verb led to. */
  record Executed<A>(ExploredWorld world, A answer) {}

  Executed<ClaimAnswer> claim(ExploredWorld world, ClaimRequest request, Duration clockOffset) {
    Mark mark = world.mark();
    Instant now = world.now();
    Instant theirs = now.plus(clockOffset);
    Transition<ClaimAnswer> it = store.claim(mark, request, ExploredWorld.LEASE, now, theirs);
    checkFinal(mark, it.next());
    if (!(it.answer() instanceof Acquired acquired)) {
      check(6, it.next().equals(mark), "a refused claim changed the mark");
      return new Executed<>(world, it.answer());
    }
    check(
        6,
        !now.isAfter(request.terms().notAfter()),
        "a claim opened the mark after its caller gave up");
    checkGrant(world, acquired);
    Transition<ClaimAnswer> again =
        store.claim(it.next(), request, ExploredWorld.LEASE, now, theirs);
    check(
        6,
        again.answer() instanceof Acquired same
            && same.claim().equals(acquired.claim())
            && again.next().equals(it.next()),
        "a claim sent again was answered " + again.answer());
    Seen seen = world.seen().granted(acquired.claim(), acquired.leaseUntil());
    return new Executed<>(world.with(it.next(), seen), acquired);
  }

  private static void checkGrant(ExploredWorld world, Acquired acquired) {
    Seen seen = world.seen();
    Claim claim = acquired.claim();
    boolean resent = acquired.kind() == Kind.RESENT;
    boolean holds = seen.current().map(claim::sameAs).orElse(false);
    check(6, !resent || holds, "a claim was confirmed that is not the current one");
    check(
        3,
        holds || !world.now().isBefore(seen.leaseUntil()),
        "a second lease was granted while another lived");
    check(
        4,
        resent || claim.token() > seen.greatestToken(),
        "token " + claim.token() + " was granted after token " + seen.greatestToken());
  }

  Executed<RenewAnswer> renew(ExploredWorld world, Claim claim) {
    Transition<RenewAnswer> it = store.renew(world.mark(), claim, ExploredWorld.LEASE, world.now());
    checkFinal(world.mark(), it.next());
    if (!(it.answer() instanceof Renewed renewed)) {
      check(5, it.next().equals(world.mark()), "a fenced renewal changed the mark");
      return new Executed<>(world, it.answer());
    }
    checkCurrent(world, claim, renewed.markLost());
    Transition<RenewAnswer> again = store.renew(it.next(), claim, ExploredWorld.LEASE, world.now());
    check(
        6,
        again.answer() instanceof Renewed && again.next().equals(it.next()),
        "a renewal sent again was answered " + again.answer());
    Seen seen = world.seen().granted(claim, renewed.leaseUntil());
    return new Executed<>(world.with(it.next(), seen), renewed);
  }

  Executed<SettleAnswer> settle(ExploredWorld world, Settlement settlement) {
    Claim claim = settlement.claim();
    Transition<SettleAnswer> it = store.settle(world.mark(), settlement, world.now());
    checkFinal(world.mark(), it.next());
    if (!(it.answer() instanceof Settled settled)) {
      check(5, it.next().equals(world.mark()), "a fenced settlement changed the mark");
      return new Executed<>(world, it.answer());
    }
    boolean nothingThere = world.seen().current().isEmpty() && it.next().equals(world.mark());
    if (!nothingThere) {
      checkCurrent(world, claim, settled.markLost());
    }
    Transition<SettleAnswer> again = store.settle(it.next(), settlement, world.now());
    check(
        6,
        again.answer() instanceof Settled && again.next().equals(it.next()),
        "a settlement sent again was answered " + again.answer());
    Seen seen = nothingThere ? world.seen() : world.seen().granted(claim, Instant.EPOCH);
    return new Executed<>(world.with(it.next(), seen), settled);
  }

  /** Who may renew and settle: the current claim, or anybody once the mark was lost. */
  private static void checkCurrent(ExploredWorld world, Claim claim, boolean toldLost) {
    boolean lost = world.seen().current().isEmpty();
    boolean current = world.seen().current().map(claim::sameAs).orElse(false);
    check(5, lost || current, "a late owner's verb was accepted");
    check(9, lost == toldLost, "the loss of the mark was not told, or told without a loss");
  }

  private static void checkFinal(Mark mark, Mark next) {
    boolean over = mark.state() == MarkState.DONE || mark.state() == MarkState.DEAD;
    check(7, !over || next.equals(mark), "a mark that was " + mark.state() + " changed");
  }

  /** Whatever happened, a newcomer is told within a lease and a back-off how the message stands. */
  void checkNotStuck(ExploredWorld world) {
    ExploredWorld later = world.afterTimeStep().afterTimeStep().afterTimeStep();
    ClaimRequest request = SampleMarks.solo(NEWCOMER);
    ClaimAnswer answer = store
        .claim(later.mark(), request, ExploredWorld.LEASE, later.now(), later.now())
        .answer();
    boolean told = answer instanceof Acquired
        || answer instanceof ClaimAnswer.Done
        || answer instanceof ClaimAnswer.Dead;
    check(14, told, "a newcomer is still answered " + answer);
  }

  private static void check(int invariant, boolean holds, String broken) {
    if (!holds) {
      throw new Broken(invariant, broken);
    }
  }
}
