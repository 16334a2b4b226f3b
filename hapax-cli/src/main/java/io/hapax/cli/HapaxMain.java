package io.hapax.cli;

/** Starts a command. */
public final class HapaxMain {

  private HapaxMain() {}

  /** Runs a command. */
  public static void main(String[] arguments) {
    disableRocketMqLogs();
    System.exit(HapaxCommand.commandLine().execute(arguments));
  }

  /**
   * Disables the log files of RocketMQ's client, which are in the user's home by default, unless
   * they are configured.
   */
  private static void disableRocketMqLogs() {
    if (System.getProperty("rocketmq.log.root") == null) {
      System.getProperties().putIfAbsent("rmq.logback.configurationFile", "rocketmq-logback.xml");
    }
  }
}
