package io.hapax.bench;

import picocli.CommandLine.Option;

/** The options of a benchmark whose subjects take turns in rounds. */
final class RoundOptions {

  @Option(
      names = "--warm-ups",
      paramLabel = "N",
      defaultValue = "1",
      description = "Warm-up rounds (${DEFAULT-VALUE}).")
  private int warmUps;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds;

  /**
   * Returns the length of a measurement.
   *
   * @throws IllegalArgumentException if a value breaks its rule
   */
  TurnLength length(double seconds) {
    return new TurnLength(seconds, warmUps, rounds);
  }
}
