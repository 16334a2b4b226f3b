package io.hapax.cli;

import io.hapax.policy.MissingIdPolicy;
import picocli.CommandLine.Option;

/** The options for comparing messages with their marks. */
final class VerdictOptions {

  /** The part of a message that is compared. */
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
      description =
          "The part that its receiver compares: ${COMPLETION-CANDIDATES}" + " (${DEFAULT-VALUE}).")
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
      description = "The number of named messages of each kind (${DEFAULT-VALUE}).")
  private int samples;

  ReadingSettings of(ReadingSettings settings) {
    return new ReadingSettings(
        settings.consumer(),
        settings.id(),
        settings.format(),
        fingerprint == Payload.VALUE,
        missingIds,
        samples);
  }
}
