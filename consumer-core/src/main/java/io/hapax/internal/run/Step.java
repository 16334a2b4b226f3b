package io.hapax.internal.run;

import io.hapax.internal.message.ClaimedMessage;
import java.util.List;

/** Runs the handler for claimed messages, and causes their settlement. */
public interface Step<M> {

  boolean takesMany();

  /**
   * Runs started messages of one lane, in its order, on a worker; one, unless the step takes many.
   */
  StepResult run(List<ClaimedMessage<M>> messages);
}
