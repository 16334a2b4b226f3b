package io.hapax.audit;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.time.Instant;

/**
 * What would come of a message that agrees with its mark, if it were delivered now. The mark
 * machine says so, asked for a claim that nobody makes.
 *
 * @param finding the state of its id
 * @param inDoubt whether it would run, and may have taken effect already
 */
record Assessment(Finding finding, boolean inDoubt) {

  private static final Nonce NOBODYS = new Nonce(0, 1);
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final ClaimTerms TERMS = new ClaimTerms(true, true, ClaimTerms.ANY_TIME);

  /** Judges a mark, possibly absent, at a time of the store. */
  static Assessment of(Mark mark, Instant now) {
    ClaimRequest request =
        new ClaimRequest(mark.key(), NOBODYS, Fingerprint.NONE, Origin.NONE, TERMS);
    ClaimAnswer answer =
        MarkMachine.claim(mark, request, LEASE, whenDue(mark, now)).answer();
    if (answer instanceof ClaimAnswer.Acquired acquired) {
      return new Assessment(
          switch (acquired.kind()) {
            case FRESH -> Finding.UNKNOWN;
            case TAKEOVER -> Finding.STALE;
            case RETRY, RESENT -> Finding.RETRY;
          },
          acquired.claim().attempt().inDoubt());
    } else if (answer instanceof ClaimAnswer.Done) {
      return new Assessment(Finding.DONE, false);
    } else if (answer instanceof ClaimAnswer.Dead) {
      return new Assessment(Finding.DEAD, false);
    } else if (answer instanceof ClaimAnswer.Busy) {
      return new Assessment(Finding.IN_FLIGHT, false);
    }
    throw new IllegalStateException(mark.key() + " was answered " + answer);
  }

  /** What was given back waits, and runs when it is due: nobody else sees to it meanwhile. */
  private static Instant whenDue(Mark mark, Instant now) {
    return mark.state() == MarkState.RETRY && now.isBefore(mark.until()) ? mark.until() : now;
  }
}
