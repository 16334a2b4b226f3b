package io.hapax.console.trial;

import java.util.Set;

/**
 * A demo that an operator can disturb in the view "Break it". The same orders go to consumers with
 * Hapax and to a plain loop. Implementations are thread-safe.
 */
public interface Trial {

  /**
   * {@return the actions that the demo offers; the view shows one button for each, in the order of
   * their constants}
   */
  Set<TrialAction> actions();

  /**
   * {@return the current state without waiting for a server} If the ledger cannot be read, its part
   * of the state is an older one.
   */
  TrialState state();

  /**
   * Begins an action. Returns when it has begun; later steps, such as the restart of a killed
   * consumer, may follow in the background.
   *
   * @param action one of {@link #actions()}
   * @return a description of what was done, for the action log
   * @throws IllegalStateException if the action is not possible now; the message has the reason
   * @throws Exception if the action fails; a part of it may have happened
   */
  String begin(TrialAction action) throws Exception;
}
