package io.hapax.operations.audit;

import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.Instant;

/**
 * Predicts what would happen to a message if it were delivered now and its payload agrees with its
 * mark. It asks the mark machine to answer a claim, which is not made.
 *
 * @param finding the state of the message's id
 * @param inDoubt whether the message would run and may have taken effect already
 */
record Assessment(Finding finding, boolean inDoubt) {

  private static final Nonce UNUSED = new Nonce(0, 1);
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final ClaimTerms TERMS = new ClaimTerms(true, true, ClaimTerms.ANY_TIME);

  static Assessment of(Mark mark, Instant now) {
    ClaimRequest request =
        new ClaimRequest(mark.key(), UNUSED, Fingerprint.NONE, Origin.NONE, TERMS);
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

  /** Returns when a RETRY mark is due: until then no owner handles its message. */
  private static Instant whenDue(Mark mark, Instant now) {
    return mark.state() == MarkState.RETRY && now.isBefore(mark.until()) ? mark.until() : now;
  }

  Text describe(Mark mark) {
    Text doubt = inDoubt ? Text.of("assessment.in-doubt") : Text.NONE;
    return switch (finding) {
      case IN_FLIGHT, STALE -> Text.of("assessment.claimed", owner(mark), mark.claimedAt(), doubt);
      case RETRY ->
        Text.of("assessment.retry", mark.claim().attempt().number(), mark.until(), doubt);
      case DEAD -> Text.plain(mark.detail());
      default -> Text.NONE;
    };
  }

  private static Text owner(Mark mark) {
    String owner = mark.claim().origin().owner();
    return owner.isEmpty() ? Text.of("assessment.no-owner") : Text.plain(owner);
  }
}
