package io.hapax.bench;

/** Starts a benchmark. */
public final class BenchMain {

  private BenchMain() {}

  /**
   * Runs a benchmark.
   *
   * @param arguments its name and its options
   */
  public static void main(String[] arguments) {
    System.exit(BenchCommand.commandLine().execute(arguments));
  }
}
