package io.hapax.adapter;

import java.time.Duration;

/** Messages that were submitted together. */
public interface Submission {

  /**
   * Gives up what has not started: its claims are released at once and its messages are deferred.
   * Handlers that run are left to finish and are settled; their outcomes follow. Returns at once;
   * may be called by any thread, more than once.
   */
  void abandon();

  /**
   * Waits until every message has its outcome.
   *
   * @param atMost the longest wait
   * @return whether every message has its outcome
   * @throws InterruptedException if the thread was interrupted while waiting
   * @throws io.hapax.errors.ReceiverClosedException if the receiver has failed. What has no outcome
   *     must not be acknowledged
   */
  boolean await(Duration atMost) throws InterruptedException;

  /**
   * Waits until every message has its outcome, and gives up messages that have not started in time.
   * It waits longer only for those that run by then, because they must not be redelivered
   * elsewhere. For a thread that answers a client with outcomes and acknowledges by returning.
   *
   * @param patience how long a message may take to start; zero gives up at once
   * @throws InterruptedException if the thread was interrupted while waiting. What has not started
   *     is given up then, too; what runs goes on, and its outcomes follow
   * @throws io.hapax.errors.ReceiverClosedException as {@link #await} does
   */
  void awaitOrAbandon(Duration patience) throws InterruptedException;

  /** Receives each outcome of a submission as soon as it is final. Must be quick and not throw. */
  @FunctionalInterface
  interface OutcomeSink {

    /**
     * Called once for each message, by any thread, in any order.
     *
     * @param index the message's position in the submitted list
     * @param outcome its outcome
     */
    void accept(int index, Outcome outcome);
  }
}
