package io.hapax.cli;

import io.hapax.policy.MissingIdPolicy;
import picocli.CommandLine.Option;

/** What a message is compared with its mark by, and how much of the verdict is told. */
final class VerdictOptions {

  /** What payloads are compared by. */
  enum Payload {
    /** The bytes of the value. */
    VALUE,
    /** Nothing. */
    NONE
  }

  @Option(
      names = "--fingerprint",
      paramLabel = "WHAT",
      defaultValue = "value",
      description = "What its receiver compares payloads by: ${COMPLETION-CANDIDATES}"
          + " (${DEFAULT-VALUE}).")
  private Payload fingerprint;

  @Option(
      names = "--missing-id",
      paramLabel = "POLICY",
      defaultValue = "dead_letter",
      description = "Its policy for messages without an id: ${COMPLETION-CANDIDATES}"
          + " (${DEFAULT-VALUE}).")
  private MissingIdPolicy missingIds;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many messages of each kind are named (${DEFAULT-VALUE}).")
  private int samples;

  Reading of(Reading reading) {
    return new Reading(
        reading.consumer(),
        reading.id(),
        reading.format(),
        fingerprint == Payload.VALUE,
        missingIds,
        samples);
  }
}
