package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.Optional;

/**
 * How a step ended, for its lane.
 *
 * @param <M> the broker's message
 */
sealed interface StepResult<M> {

  /** Its messages have their outcome, or are on their way to it; a deferral stops the lane. */
  record Over<M>(Optional<Deferred> stop) implements StepResult<M> {
    /** The lane goes on: one for all messages, since nearly all end so. */
    private static final Over<?> ON = new Over<>(Optional.empty());
  }

  /** Nothing has happened, and its messages are to be called again after a wait. */
  record Again<M>(PendingRetry<M> encore, Duration after) implements StepResult<M> {}

  @SuppressWarnings("unchecked") // it holds nothing of M
  static <M> StepResult<M> over(Optional<Deferred> stop) {
    return stop.isEmpty() ? (StepResult<M>) Over.ON : new Over<>(stop);
  }
}
