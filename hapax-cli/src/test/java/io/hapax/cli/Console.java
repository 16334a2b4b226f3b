package io.hapax.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs the command in this JVM and keeps its output. */
final class Console {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> always;

  /** Creates a console with options that are appended to each command. */
  Console(String... always) {
    this.always = List.of(always);
  }

  /** Returns the exit code. */
  int run(String... arguments) {
    List<String> typed = new ArrayList<>(List.of(arguments));
    typed.addAll(always);
    CommandLine line = HapaxCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(typed.toArray(String[]::new));
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }
}
