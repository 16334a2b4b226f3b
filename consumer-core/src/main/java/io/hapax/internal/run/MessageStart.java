package io.hapax.internal.run;

import io.hapax.OutcomeProbe.Answer;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.internal.settle.UnmarkedMessages;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.Optional;

/** Decides whether a message whose turn has come runs, and finishes one that does not. */
public record MessageStart<M>(
    InDoubtResolver<M> inDoubt,
    Failures<M> failures,
    UnmarkedMessages<M> unmarked,
    UnacquiredClaims<M> unacquired,
    Settler<M> settler,
    Duration margin) {

  /**
   * Returns how a started message ended without running; empty if its handler runs now.
   *
   * @param probed the answer of the probe, if it was called
   */
  Optional<StepResult> endWithoutRunning(InFlightMessage<M> message, Optional<Answer> probed) {
    if (!message.markable) {
      return ended(unmarked.finish(message));
    }
    ClaimAnswer answer = message.answer();
    return answer instanceof Acquired acquired
        ? endAcquired(message, acquired, probed)
        : ended(unacquired.finish(message, answer));
  }

  private Optional<StepResult> endAcquired(
      InFlightMessage<M> message, Acquired acquired, Optional<Answer> probed) {
    Optional<Failures.Decision> decision = inDoubt.decide(message, acquired, probed);
    if (decision.isEmpty()) {
      decision = failures.withoutRunning(message, acquired);
    }
    if (decision.isPresent()) {
      return ended(failures.settle(message, decision.get()));
    }
    if (!message.lease.lasts(margin)) {
      settler.settle(message, new Verdict.Release(), Deferrals.TOO_SHORT);
      return ended(Optional.of(Deferrals.TOO_SHORT));
    }
    return Optional.empty();
  }

  private Optional<StepResult> ended(Optional<Deferred> stop) {
    return Optional.of(StepResult.over(stop));
  }
}
