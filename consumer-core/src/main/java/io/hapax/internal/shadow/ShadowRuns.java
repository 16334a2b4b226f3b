package io.hapax.internal.shadow;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Executed;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.run.ObservedStart;
import io.hapax.internal.run.ObservedStart.End;
import io.hapax.mark.Attempt;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Decides how the claim of a run is settled. A mark is DONE only after the run succeeded. A run
 * that failed gives its attempt back, so that the real mode does not find them used up. The first
 * run that may have had an effect keeps its attempt, because only a counted attempt can put the
 * mark in doubt.
 */
record ShadowRuns<M>(int maxAttempts) implements ObservedStart.Runs<Shadowed<M>> {

  private static final Verdict RELEASE = new Verdict.Release();
  private static final Verdict IN_DOUBT = new Verdict.Retry(Duration.ZERO, true);

  @Override
  public CompletionStage<Outcome> outcome(Shadowed<M> message) {
    return message.outcome();
  }

  @Override
  public End end(Shadowed<M> message, Attempt attempt, Outcome outcome) {
    if (outcome instanceof Executed executed) {
      return new End(new Verdict.Done(executed.result()), outcome);
    }
    if (!message.hasRun()) {
      return new End(RELEASE, Deferrals.ABANDONED);
    }
    return outcome instanceof Deferred deferred && hasReturned(deferred)
        ? new End(failed(message, attempt), outcome)
        : new End(Optional.empty(), Deferrals.ABANDONED); // its handler may still run
  }

  /** Never keeps the last attempt: the real mode would dead-letter the message without a run. */
  private Verdict failed(Shadowed<M> message, Attempt attempt) {
    boolean newDoubt = message.mayHaveActed() && !attempt.inDoubt();
    return newDoubt && attempt.number() < maxAttempts ? IN_DOUBT : RELEASE;
  }

  private static boolean hasReturned(Deferred deferred) {
    return switch (deferred.reason()) {
      case RETRY, DEFERRED -> true;
      default -> false;
    };
  }
}
