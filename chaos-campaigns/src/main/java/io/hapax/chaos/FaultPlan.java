package io.hapax.chaos;

import java.util.Arrays;
import picocli.CommandLine.Option;

/** The number of faults of each kind in a run. Scaling and resets of the offsets count, too. */
final class FaultPlan {

  @Option(
      names = "--kills",
      paramLabel = "K",
      defaultValue = "1",
      description = "The number of kills of a consumer with a batch in flight (${DEFAULT-VALUE}).")
  int kills;

  @Option(
      names = "--stops",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of consumers that are stopped until another one has taken over"
          + " (${DEFAULT-VALUE}).")
  int stops;

  @Option(
      names = "--store-restarts",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "The number of kills and restarts of the store under a consumer" + " (${DEFAULT-VALUE}).")
  int storeRestarts;

  @Option(
      names = "--broker-restarts",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of kills and restarts of the broker (${DEFAULT-VALUE}).")
  int brokerRestarts;

  @Option(
      names = "--resets",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of resets of the group's offsets to 0 while it has messages in"
          + " flight; with --members (${DEFAULT-VALUE}).")
  int resets;

  @Option(
      names = "--scalings",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of times that a further member joins the group and then another"
          + " one leaves; with --members (${DEFAULT-VALUE}).")
  int scalings;

  int of(Fault fault) {
    return switch (fault) {
      case KILL -> kills;
      case STOP -> stops;
      case STORE_RESTART -> storeRestarts;
      case BROKER_RESTART -> brokerRestarts;
      case RESET -> resets;
      case SCALING -> scalings;
    };
  }

  int count() {
    return Arrays.stream(Fault.values()).mapToInt(this::of).sum();
  }
}
