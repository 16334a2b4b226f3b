package io.hapax.servers;

import java.util.concurrent.TimeUnit;

/** Waits for a process that creates a server's data, before the server itself is started. */
final class SetupProcess {

  private static final long SECONDS = 120;

  private SetupProcess() {}

  /**
   * Waits until it has ended. Kills it after two minutes, and when this thread is interrupted.
   *
   * @param process the process
   * @param command its name
   * @param makes a description of the data
   * @param directory the directory with its log
   * @throws LocalServerException if it failed
   */
  static void await(Process process, String command, String makes, ServerDirectory directory) {
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        ProcessTree.kill(process.toHandle());
      }
    } catch (InterruptedException e) {
      ProcessTree.kill(process.toHandle());
      Thread.currentThread().interrupt();
      throw new LocalServerException("interrupted while creating " + makes, e);
    }
    if (process.exitValue() != 0) {
      throw new LocalServerException(
          command + " ended with status " + process.exitValue() + "; " + directory.logTail());
    }
  }
}
