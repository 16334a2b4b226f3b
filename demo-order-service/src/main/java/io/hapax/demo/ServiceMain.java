package io.hapax.demo;

import java.nio.file.Path;

/** The entry point of the order service, and of the runnable jar. */
public final class ServiceMain {

  private ServiceMain() {}

  /**
   * Runs the service, or asks one that runs.
   *
   * @param arguments the command and its options
   */
  public static void main(String[] arguments) {
    // RocketMQ's client writes a log of its own, by default into the user's home.
    Path logs = Path.of(System.getProperty("java.io.tmpdir"), "order-service");
    System.getProperties().putIfAbsent("rocketmq.log.root", logs.toString());
    System.getProperties().putIfAbsent("rocketmq.log.level", "warn");
    System.exit(ServiceCommand.commandLine(System.getenv()).execute(arguments));
  }
}
