package io.hapax.chaos.live;

import java.io.IOException;
import java.time.Duration;

/** A consumer process, as the live demo uses it. */
public interface LiveProcess {

  /** Starts a process. */
  @FunctionalInterface
  interface Launcher {

    /**
     * Starts a consumer.
     *
     * @return the process; the caller ends it
     * @throws IOException if it cannot be started
     */
    LiveProcess start() throws IOException;
  }

  /**
   * Returns the id of the process.
   *
   * @return the id of the process
   */
  long pid();

  /**
   * Returns whether it runs.
   *
   * @return false if it was killed or has ended by itself
   */
  boolean isAlive();

  /**
   * Returns whether it has begun to read.
   *
   * @return whether it has begun to read
   */
  boolean isReady();

  /**
   * Returns what it has reported.
   *
   * @return the numbers of its reports
   */
  LiveCounts counts();

  /**
   * Holds its next batch while the batch is in flight, and waits for that.
   *
   * @param beforehand runs after the request, so that there is a batch
   * @param atMost the longest wait
   * @return whether a batch is held
   * @throws Exception if the request cannot be sent, or {@code beforehand} fails
   */
  boolean hold(Beforehand beforehand, Duration atMost) throws Exception;

  /**
   * Lets a held batch go on.
   *
   * @throws IOException if the process has ended
   */
  void release() throws IOException;

  /**
   * Freezes it with SIGSTOP.
   *
   * @throws IOException if the signal cannot be sent
   * @throws InterruptedException if the thread is interrupted
   */
  void freeze() throws IOException, InterruptedException;

  /**
   * Lets it go on with SIGCONT.
   *
   * @throws IOException if the signal cannot be sent
   * @throws InterruptedException if the thread is interrupted
   */
  void thaw() throws IOException, InterruptedException;

  /**
   * Ends it with SIGKILL, frozen or not, and waits for its end.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  void kill() throws InterruptedException;

  /**
   * Ends it normally.
   *
   * @throws IOException if it has ended by itself
   * @throws InterruptedException if the thread is interrupted
   */
  void stop() throws IOException, InterruptedException;

  /** Provides messages for a batch. */
  @FunctionalInterface
  interface Beforehand {

    /**
     * Publishes messages.
     *
     * @throws Exception if the broker does not store them
     */
    void run() throws Exception;
  }
}
