package io.hapax.internal.run;

import io.hapax.adapter.Outcome.Deferred;
import java.util.Optional;

/**
 * The end of a step: its messages are finished or will be after their settlement. The lane stops at
 * the deferral, if there is one.
 */
record StepResult(Optional<Deferred> stop) {

  /** The result with which nearly all steps end: the lane continues. */
  private static final StepResult ON = new StepResult(Optional.empty());

  static StepResult over(Optional<Deferred> stop) {
    return stop.isEmpty() ? ON : new StepResult(stop);
  }
}
