package io.hapax.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs the packaged command and keeps what it says. */
final class Console {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Returns the exit code. */
  int run(String... arguments) {
    CommandLine line = HapaxCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }
}
