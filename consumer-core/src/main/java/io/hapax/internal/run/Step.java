package io.hapax.internal.run;

import io.hapax.internal.message.ClaimedMessage;
import java.util.List;

/**
 * Runs the handler for claimed messages and sees to their settlement.
 *
 * @param <M> the broker's message
 */
public interface Step<M> {

  /** Whether it takes more than one message at once. */
  boolean takesMany();

  /**
   * Runs them, on a worker thread.
   *
   * @param messages started messages of one lane, in its order; one, unless it takes many
   * @param calls how many calls of their handler under these claims this one makes; 1 for the first
   * @return how the lane goes on
   */
  StepResult<M> run(List<ClaimedMessage<M>> messages, int calls);
}
