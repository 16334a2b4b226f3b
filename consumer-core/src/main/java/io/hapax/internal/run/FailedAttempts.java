package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.internal.claim.ClaimCall;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.internal.store.CheckedStore;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * Records a failed attempt whose transaction was rolled back. It uses a claim of its own, because
 * the rollback has removed the first one.
 */
public record FailedAttempts<M>(
    ClaimCall call,
    CheckedStore store,
    Failures<M> failures,
    UnacquiredClaims<M> unacquired,
    Settler<M> settler,
    Outcomes<M> outcomes) {

  /**
   * Claims the message, settles the claim by the failure, and finishes the message. There is no
   * failure if the message was barred from its transaction.
   */
  void write(InFlightMessage<M> message, Optional<Throwable> failure) {
    try {
      ClaimAnswer answer = call.claimNow(message);
      if (answer instanceof Acquired acquired) {
        settle(message, acquired, failure);
      } else {
        unacquired.finish(message, answer);
      }
    } catch (RuntimeException unanswered) { // the checked store has reported it
      outcomes.finish(message, Deferrals.storeUnavailable(unanswered));
    }
  }

  private void settle(InFlightMessage<M> message, Acquired acquired, Optional<Throwable> failure) {
    Failures.Decision decision = decision(message, acquired, failure);
    Settlement settlement = new Settlement(acquired.claim(), decision.verdict());
    SettleAnswer answer = store.settle(List.of(settlement)).get(0);
    var unused = settler.finish(message, acquired.claim(), answer, decision.outcome());
  }

  /** Decides the settlement; a message that is not barred any more is redelivered. */
  private Failures.Decision decision(
      InFlightMessage<M> message, Acquired acquired, Optional<Throwable> failure) {
    if (failure.isPresent() && failures.exhausted(acquired)) {
      return failures.bury(message, acquired, Kind.ATTEMPTS_EXHAUSTED, failure.get(), false);
    }
    return failure
        .map(it -> failures.decide(message, acquired, FailedCall.rolledBack(it)))
        .or(() -> failures.withoutRunning(message, acquired))
        .orElseGet(() -> new Failures.Decision(new Verdict.Release(), BlockedLanes.SHORTLY));
  }
}
