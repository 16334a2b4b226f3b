package io.hapax.cli;

import java.nio.file.Path;

/** The entry point. */
public final class HapaxMain {

  /** RocketMQ's client writes a log of its own, by default into the user's home. */
  private static final String ROCKETMQ_LOGS = "rocketmq.log.root";

  private HapaxMain() {}

  /**
   * Runs a command.
   *
   * @param arguments the options
   */
  public static void main(String[] arguments) {
    if (System.getProperty(ROCKETMQ_LOGS) == null) {
      System.setProperty(
          ROCKETMQ_LOGS,
          Path.of(System.getProperty("java.io.tmpdir"), "hapax-rocketmq-logs").toString());
    }
    System.exit(HapaxCommand.commandLine().execute(arguments));
  }
}
