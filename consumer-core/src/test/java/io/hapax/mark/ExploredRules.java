package io.hapax.mark;

import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ExploredInvariants.Broken;
import io.hapax.mark.SettleAnswer.Settled;
import java.time.Instant;

/** What must hold in every world, whatever led to it, and whenever a process acts on a message. */
final class ExploredRules {

  private static final Nonce NEWCOMER = new Nonce(99, 99);

  private final ExploredStore store;

  ExploredRules(ExploredStore store) {
    this.store = store;
  }

  void check(ExploredWorld world) {
    for (ExploredMessage message : world.messages()) {
      checkLease(message, world.now());
      checkDone(message);
      checkNotStuck(message, world.now());
    }
  }

  /** The store leases exactly what somebody was told. */
  private static void checkLease(ExploredMessage it, Instant now) {
    boolean promised = now.isBefore(it.leaseUntil());
    Broken.unless(
        promised == it.mark().leasedAt(now)
            && (!promised || it.isCurrent(it.mark().claim())),
        3,
        "the lease in the store is not the one that was granted");
    Broken.unless(
        it.mark().claim().token() <= it.greatestToken(), 4, "the mark has a token that nobody got");
  }

  private static void checkDone(ExploredMessage it) {
    Broken.unless(
        it.mark().state() != MarkState.DONE || it.ran(), 8, "a message is done that never ran");
    Broken.unless(
        it.mark().state() != MarkState.PROCESSING
            || it.anew()
            || it.mark().claim().attempt().number() > 0,
        10,
        "a claim has no attempt");
  }

  /** Whatever happened, a newcomer gets the message done within a lease and a back-off. */
  private void checkNotStuck(ExploredMessage it, Instant now) {
    Instant later = now.plus(ExploredWorld.LONG_PAUSE);
    ClaimTerms terms = new ClaimTerms(true, true, later);
    ClaimRequest request =
        new ClaimRequest(it.mark().key(), NEWCOMER, SampleMarks.PAYLOAD, SampleMarks.ORIGIN, terms);
    Transition<ClaimAnswer> told =
        store.claim(it.mark(), request, ExploredWorld.LEASE, later, later);
    ClaimAnswer answer = told.answer();
    if (answer instanceof Acquired acquired) {
      Settlement done = new Settlement(acquired.claim(), Verdict.Done.WITHOUT_RESULT);
      Transition<SettleAnswer> settled = store.settle(told.next(), done, later);
      Broken.unless(settled.answer() instanceof Settled, 14, "a newcomer cannot settle");
    } else if (!(answer instanceof ClaimAnswer.Done || answer instanceof ClaimAnswer.Dead)) {
      throw new Broken(14, "a newcomer is still answered " + answer);
    }
  }

  /** A process acknowledges the message to the broker, which never delivers it again. */
  static void checkAcknowledged(ExploredMessage it) {
    MarkState state = it.mark().state();
    Broken.unless(
        state == MarkState.DONE || state == MarkState.DEAD,
        1,
        "a message was acknowledged that is neither done nor dead");
    Broken.unless(
        state == MarkState.DEAD || it.ran(), 1, "a message was acknowledged that never ran");
  }

  /** The same because of a settlement. A dead letter is out before its message is settled. */
  static void checkAcknowledged(ExploredMessage it, Verdict verdict, SettleAnswer answer) {
    boolean toldLost = answer instanceof Settled settled && settled.markLost();
    if (!(toldLost && verdict instanceof Verdict.Dead)) {
      checkAcknowledged(it);
    }
  }

  /** A handler takes effect. If it repeats an effect, its attempt says that it is in doubt. */
  static void checkRuns(ExploredMessage it, Claim claim) {
    boolean repeats = it.effect() && it.isCurrent(claim);
    Broken.unless(
        !repeats || claim.attempt().inDoubt(), 9, "an effect is repeated and nobody was told");
  }
}
