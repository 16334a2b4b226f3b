package io.hapax.internal;

import io.hapax.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * Runs the handler for claimed messages and sees to their settlement.
 *
 * @param <M> the broker's message
 */
interface Step<M> {

  /** Whether it takes more than one message at once. */
  boolean takesMany();

  /**
   * Runs them, on a worker thread.
   *
   * @param messages started messages of one lane, in its order; one, unless it takes many
   * @return empty if the lane may go on; otherwise the deferral that stops it
   */
  Optional<Outcome.Deferred> run(List<Started<M>> messages);
}
