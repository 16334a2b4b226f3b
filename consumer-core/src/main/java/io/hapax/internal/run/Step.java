package io.hapax.internal.run;

import io.hapax.internal.message.ClaimedMessage;
import java.util.List;

/**
 * Runs the handler for claimed messages, and causes their settlement.
 *
 * @param <M> the broker's message
 */
public interface Step<M> {

  /** Returns whether one call may have several messages. */
  boolean takesMany();

  /**
   * Runs messages on a worker.
   *
   * @param messages started messages of one lane, in its order; one, unless the step takes many
   * @return how the lane continues
   */
  StepResult run(List<ClaimedMessage<M>> messages);
}
