package io.hapax.demo;

/** Starts the demo. */
public final class DemoMain {

  private DemoMain() {}

  /**
   * Runs the demo, or one of its consumers.
   *
   * @param arguments the options
   */
  public static void main(String[] arguments) {
    System.exit(DemoCommand.commandLine().execute(arguments));
  }
}
