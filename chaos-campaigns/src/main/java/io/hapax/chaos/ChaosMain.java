package io.hapax.chaos;

/** Starts a run. */
public final class ChaosMain {

  private ChaosMain() {}

  /**
   * Starts a run, or one of its consumers.
   *
   * @param arguments the options
   */
  public static void main(String[] arguments) {
    System.exit(ChaosCommand.commandLine().execute(arguments));
  }
}
