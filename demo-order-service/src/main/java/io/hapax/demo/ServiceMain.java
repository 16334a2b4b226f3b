package io.hapax.demo;

import java.nio.file.Path;

/** Starts the order service, also from the runnable jar. */
public final class ServiceMain {

  private ServiceMain() {}

  /** Runs the service, or asks a running one. */
  public static void main(String[] arguments) {
    // RocketMQ's client would write its log to the user's home.
    Path logs = Path.of(System.getProperty("java.io.tmpdir"), "order-service");
    System.getProperties().putIfAbsent("rocketmq.log.root", logs.toString());
    System.getProperties().putIfAbsent("rocketmq.log.level", "warn");
    System.exit(ServiceCommand.commandLine(System.getenv()).execute(arguments));
  }
}
