package io.hapax.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A subcommand: checks its options, measures, and prints a report. */
abstract class Benchmark implements Callable<Integer> {

  @Option(names = "--rounds", description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds;

  @Spec
  private CommandSpec spec;

  private final List<String> profiles = new ArrayList<>();

  Benchmark(int rounds) {
    this.rounds = rounds;
  }

  final int rounds() {
    return rounds;
  }

  /** Throws an {@link IllegalArgumentException} if an option breaks its rule. */
  abstract void check();

  abstract String measure(Machine machine) throws Exception;

  @Override
  public final Integer call() throws Exception {
    try {
      between("--rounds", rounds, 1, 1000);
      check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(measure(Machine.now()));
    profiles.forEach(out::print);
    out.flush();
    return 0;
  }

  static void between(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " is " + value + " but must be between " + least + " and " + most);
    }
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  final void tell(String pattern, Object... values) {
    PrintWriter errors = spec.commandLine().getErr();
    errors.println("bench: " + format(pattern, values));
    errors.flush();
  }

  final void addProfile(String title, String text) {
    profiles.add(format("%nProfile: %s%n%s", title, text));
  }

  @FunctionalInterface
  interface Turn<S, V> {

    /** Runs in a round that counts from 1, or warms up if its number is smaller. */
    V run(S subject, int round) throws Exception;
  }

  /**
   * Lets all subjects take turns, so that other load on the machine affects all of them alike.
   * Returns a summary of the results of the rounds that count.
   */
  static <S, V, R> Map<S, R> turns(
      int warmUps, int rounds, List<S> subjects, Turn<S, V> turn, Function<List<V>, R> summary)
      throws Exception {
    Map<S, List<V>> results = new LinkedHashMap<>();
    for (int round = 1 - warmUps; round <= rounds; round++) {
      for (S subject : subjects) {
        V result = turn.run(subject, round);
        if (round > 0) {
          results.computeIfAbsent(subject, same -> new ArrayList<>()).add(result);
        }
      }
    }
    Map<S, R> summaries = new LinkedHashMap<>();
    results.forEach((subject, all) -> summaries.put(subject, summary.apply(all)));
    return summaries;
  }
}
