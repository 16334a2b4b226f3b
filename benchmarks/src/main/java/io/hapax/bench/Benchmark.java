package io.hapax.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A subcommand: checks its options, measures, prints a report, and writes the figures to a file if
 * this is requested.
 *
 * @param <F> the figures, which Jackson can write
 */
abstract class Benchmark<F> implements Callable<Integer> {

  @Option(names = "--json", description = "Writes all figures to this file.")
  private @Nullable Path file;

  @Spec
  private CommandSpec spec;

  private final List<String> profiles = new ArrayList<>();

  /** Throws an {@link IllegalArgumentException} if an option breaks its rule. */
  abstract void check();

  /** Measures. */
  abstract F measure() throws Exception;

  /** Returns the report. */
  abstract String text(Machine machine, F figures);

  @Override
  public final Integer call() throws Exception {
    try {
      check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    refuseUnwritable();
    Machine machine = Machine.now();
    F figures = measure();
    PrintWriter out = spec.commandLine().getOut();
    out.print(text(machine, figures));
    profiles.forEach(out::print);
    out.flush();
    if (file != null) {
      new ObjectMapper()
          .writerWithDefaultPrettyPrinter()
          .writeValue(
              file.toFile(),
              Map.of(
                  "benchmark", spec.name(),
                  "date", machine.date().toString(),
                  "machine", machine.description(),
                  "load", Machine.load(),
                  "figures", figures));
    }
    return 0;
  }

  /** Checks the file before anything is measured. */
  private void refuseUnwritable() {
    Path folder = file == null ? null : file.toAbsolutePath().getParent();
    if (file != null && (folder == null || !Files.isWritable(folder) || Files.isDirectory(file))) {
      throw new ParameterException(
          spec.commandLine(),
          "--json is " + file + " but must be a file in an existing folder that can be written to");
    }
  }

  static void between(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " is " + value + " but must be between " + least + " and " + most);
    }
  }

  /** Formats text in the same way on every machine. */
  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  static String reached(boolean is) {
    return is ? "reached" : "MISSED";
  }

  /** Reports the progress. */
  final void tell(String pattern, Object... values) {
    PrintWriter errors = spec.commandLine().getErr();
    errors.println("bench: " + format(pattern, values));
    errors.flush();
  }

  /** Adds a profile to the report. */
  final void addProfile(String title, String text) {
    profiles.add(format("%nProfile: %s%n%s", title, text));
  }

  /**
   * Measures a subject once.
   *
   * @param <S> the subject
   * @param <V> the result
   */
  @FunctionalInterface
  interface Turn<S, V> {

    /** Runs in a round that counts from 1, or warms up if its number is smaller. */
    V run(S subject, int round) throws Exception;
  }

  /**
   * Lets all subjects take turns, so that other load on the machine affects all of them alike.
   *
   * @return the results of the rounds that count
   */
  static <S, V> Map<S, List<V>> turns(
      int warmUps, int rounds, List<S> subjects, Turn<? super S, V> turn) throws Exception {
    Map<S, List<V>> results = new LinkedHashMap<>();
    for (int round = 1 - warmUps; round <= rounds; round++) {
      for (S subject : subjects) {
        V result = turn.run(subject, round);
        if (round > 0) {
          results.computeIfAbsent(subject, same -> new ArrayList<>()).add(result);
        }
      }
    }
    return results;
  }
}
