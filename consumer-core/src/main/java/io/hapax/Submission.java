package io.hapax;

import java.time.Duration;

/** Messages that were handed in together. */
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
   */
  boolean await(Duration atMost) throws InterruptedException;
}
