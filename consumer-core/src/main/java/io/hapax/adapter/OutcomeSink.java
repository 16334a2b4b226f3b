package io.hapax.adapter;

/**
 * Receives the outcomes of one submission, each as soon as it stands. Must be quick and must not
 * throw.
 */
@FunctionalInterface
public interface OutcomeSink {

  /**
   * Called once for each message, by any thread, in any order.
   *
   * @param index the message's position in the list that was handed in
   * @param outcome what became of it
   */
  void accept(int index, Outcome outcome);
}
