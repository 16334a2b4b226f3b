package io.hapax.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs the command in this JVM and keeps its output. */
final class Console {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> always;

  /** Creates a console with options that are appended to each command. */
  Console(String... always) {
    this.always = words(always);
  }

  /** Splits texts at their spaces, as a shell does. */
  static List<String> words(String... texts) {
    return Stream.of(texts).flatMap(text -> Stream.of(text.split(" "))).toList();
  }

  /** Appends words to others. */
  static String[] with(String[] words, String... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  /** Runs a command, which is split at its spaces, and returns its exit code. */
  int run(String... command) {
    return execute(words(command));
  }

  /** Runs a command whose arguments may contain spaces, and returns its exit code. */
  int execute(List<String> arguments) {
    List<String> typed = new ArrayList<>(arguments);
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
