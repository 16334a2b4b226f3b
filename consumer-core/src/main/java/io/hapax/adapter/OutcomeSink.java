package io.hapax.adapter;

/** Receives each outcome of a submission as soon as it is final. Must be quick and not throw. */
@FunctionalInterface
public interface OutcomeSink {

  /**
   * Called once for each message, by any thread, in any order.
   *
   * @param index the message's position in the submitted list
   * @param outcome its outcome
   */
  void accept(int index, Outcome outcome);
}
