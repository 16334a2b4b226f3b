package io.hapax.cli;

import io.hapax.MissingIdPolicy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which messages are judged, what they are compared with their marks by, and how much is told. */
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
      names = "--tags",
      paramLabel = "TAGS",
      description = "The tags that it subscribes to, as 'A || B'; with RocketMQ only. Messages of"
          + " other tags are left out; without this none are.")
  private @Nullable String tags;

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
        samples,
        Optional.ofNullable(tags));
  }
}
