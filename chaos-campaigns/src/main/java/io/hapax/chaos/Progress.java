package io.hapax.chaos;

import java.io.PrintStream;

/**
 * Prints a line for each step of a run.
 *
 * @param out receives the lines
 */
record Progress(PrintStream out) {

  /** Prints to the standard error, so that the table can be piped. */
  static Progress onStandardError() {
    return new Progress(System.err);
  }

  void step(String text) {
    out.println("  " + text);
  }
}
