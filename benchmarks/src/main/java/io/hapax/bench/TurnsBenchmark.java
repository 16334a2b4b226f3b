package io.hapax.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** A benchmark of consumers that take turns. Each turn has a time limit. */
abstract class TurnsBenchmark extends Benchmark {

  @Option(
      names = "--seconds",
      description = "The longest measurement of a consumer (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(names = "--warm-ups", description = "Warm-up rounds (${DEFAULT-VALUE}).")
  private int warmUps = 1;

  TurnsBenchmark(double seconds, int rounds) {
    super(rounds);
    this.seconds = seconds;
  }

  @Override
  void check() {
    between("--warm-ups", warmUps, 0, 100);
    if (!(seconds > 0 && seconds <= 600)) {
      throw new IllegalArgumentException(
          "--seconds is " + seconds + " but must be more than 0 and at most 600");
    }
  }

  final double seconds() {
    return seconds;
  }

  final Duration limit() {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /** Returns the first lines of a report about rates, with its sizes before the machine. */
  final String heading(String rates, String sizes, Machine machine) {
    return format(
        "%nHapax, %s a second, median of %d rounds of at most %.1f s; %s%n"
            + "  %s machine: %s, load %.1f%n",
        rates, rounds(), seconds, machine.date(), sizes, machine.text(), Machine.load());
  }

  final <S> Map<S, Spread> rates(List<S> subjects, Turn<S, Double> turn) throws Exception {
    Turn<S, Double> telling = (subject, round) -> {
      double rate = turn.run(subject, round);
      tell("round %d, %s: %,.0f a second", round, subject, rate);
      return rate;
    };
    return turns(warmUps, rounds(), subjects, telling, Spread::of);
  }
}
