package io.hapax.cli;

/** The entry point. */
public final class HapaxMain {

  private HapaxMain() {}

  /**
   * Runs a command.
   *
   * @param arguments the options
   */
  public static void main(String[] arguments) {
    quietenRocketMq();
    System.exit(HapaxCommand.commandLine().execute(arguments));
  }

  /** Its client logs into files, by default in the user's home: here only where it is told to. */
  private static void quietenRocketMq() {
    if (System.getProperty("rocketmq.log.root") == null) {
      System.getProperties().putIfAbsent("rmq.logback.configurationFile", "rocketmq-logback.xml");
    }
  }
}
