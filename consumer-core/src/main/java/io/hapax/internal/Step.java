package io.hapax.internal;

import io.hapax.Outcome;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.util.Optional;

/**
 * Runs the handler for one claimed message and sees to its settlement.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
interface Step<M> {

  /**
   * Runs it, on a worker thread.
   *
   * @return empty if the lane may go on; otherwise the deferral that stops it
   */
  Optional<Outcome.Deferred> run(Item<M> item, Acquired acquired);
}
