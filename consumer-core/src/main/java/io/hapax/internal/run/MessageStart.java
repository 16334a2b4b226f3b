package io.hapax.internal.run;

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
    InDoubtResolver<M> doubts,
    Failures<M> failures,
    UnmarkedMessages<M> unmarked,
    UnacquiredClaims<M> unacquired,
    Settler<M> settler,
    Duration margin) {

  /** Returns whether a probe must answer before the message may run. */
  boolean awaitsProbe(InFlightMessage<M> item) {
    return doubts.open(item);
  }

  /** Calls the probe; the action runs once it has answered. */
  void probe(InFlightMessage<M> item, Runnable answered) {
    doubts.ask(item, answered);
  }

  /** Returns how a started message ended without running; empty if its handler runs now. */
  Optional<StepResult> endWithoutRunning(InFlightMessage<M> item) {
    if (!item.markable) {
      return ended(unmarked.finish(item));
    }
    ClaimAnswer answer = item.answer();
    return answer instanceof Acquired acquired
        ? endAcquired(item, acquired)
        : ended(unacquired.finish(item, answer));
  }

  private Optional<StepResult> endAcquired(InFlightMessage<M> item, Acquired acquired) {
    Optional<Failures.Decision> decision = doubts.decide(item, acquired);
    if (decision.isEmpty()) {
      decision = failures.withoutRunning(item, acquired);
    }
    if (decision.isPresent()) {
      return ended(failures.settle(item, decision.get()));
    }
    if (!item.lease.lasts(margin)) {
      settler.settle(item, new Verdict.Release(), Deferrals.TOO_SHORT);
      return ended(Optional.of(Deferrals.TOO_SHORT));
    }
    return Optional.empty();
  }

  private Optional<StepResult> ended(Optional<Deferred> stop) {
    return Optional.of(StepResult.over(stop));
  }
}
