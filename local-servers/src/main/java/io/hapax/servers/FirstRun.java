package io.hapax.servers;

import java.util.concurrent.TimeUnit;

/** A process that makes a server's data, before the server itself is started. */
final class FirstRun {

  private static final long SECONDS = 120;

  private FirstRun() {}

  /**
   * Waits until it has ended; kills it after two minutes, and when this thread is interrupted.
   *
   * @param process the process
   * @param command what it is called
   * @param makes what it makes
   * @param directory whose log it writes
   * @throws LocalServerException if it did not end well
   */
  static void await(Process process, String command, String makes, ServerDirectory directory) {
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        ProcessTree.kill(process.toHandle());
      }
    } catch (InterruptedException e) {
      ProcessTree.kill(process.toHandle());
      Thread.currentThread().interrupt();
      throw new LocalServerException("interrupted while making " + makes, e);
    }
    if (process.exitValue() != 0) {
      throw new LocalServerException(
          command + " ended with status " + process.exitValue() + "; " + directory.logTail());
    }
  }
}
