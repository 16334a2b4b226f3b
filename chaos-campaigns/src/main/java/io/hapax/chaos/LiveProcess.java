package io.hapax.chaos;

import java.io.IOException;
import java.time.Duration;

/** A consumer process, as the live demo uses it. */
interface LiveProcess {

  /** Starts a process. */
  @FunctionalInterface
  interface Launcher {
    LiveProcess start() throws IOException;
  }

  long pid();

  boolean isAlive();

  /** Returns whether it has begun to read. */
  boolean isReady();

  LiveCounts counts();

  /**
   * Holds its next batch while the batch is in flight, and waits for that.
   *
   * @param beforehand runs after the request, so that there is a batch
   * @return whether a batch is held
   * @throws Exception if the request cannot be sent, or {@code beforehand} fails
   */
  boolean hold(Beforehand beforehand, Duration atMost) throws Exception;

  /** Lets a held batch go on. */
  void release() throws IOException;

  /** Freezes it with SIGSTOP. */
  void freeze() throws IOException, InterruptedException;

  /** Lets it go on with SIGCONT. */
  void thaw() throws IOException, InterruptedException;

  /** Ends it with SIGKILL, frozen or not, and waits for its end. */
  void kill() throws InterruptedException;

  /** Ends it normally. */
  void stop() throws IOException, InterruptedException;

  /** Provides messages for a batch. */
  @FunctionalInterface
  interface Beforehand {
    void run() throws Exception;
  }
}
