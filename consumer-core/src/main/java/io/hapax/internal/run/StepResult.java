package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.Optional;

/**
 * The result of a step, by which its lane continues.
 *
 * @param <M> the broker's message
 */
sealed interface StepResult<M> {

  /** The messages are finished or will be after their settlement; a deferral stops the lane. */
  record Over<M>(Optional<Deferred> stop) implements StepResult<M> {
    /** The result with which nearly all steps end: the lane continues. */
    private static final Over<?> ON = new Over<>(Optional.empty());
  }

  /** The call had no effect and is retried after a wait. */
  record Again<M>(PendingRetry<M> retry, Duration after) implements StepResult<M> {}

  @SuppressWarnings("unchecked") // it holds nothing of M
  static <M> StepResult<M> over(Optional<Deferred> stop) {
    return stop.isEmpty() ? (StepResult<M>) Over.ON : new Over<>(stop);
  }
}
