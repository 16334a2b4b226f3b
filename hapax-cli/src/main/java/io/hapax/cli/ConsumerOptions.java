package io.hapax.cli;

import io.hapax.MissingIdPolicy;
import picocli.CommandLine.Option;

/** Whose marks, and how that consumer tells its messages apart. */
final class ConsumerOptions {

  /** What payloads are compared by. */
  enum Payload {
    /** The bytes of the value. */
    VALUE,
    /** Nothing. */
    NONE
  }

  @Option(
      names = "--consumer",
      required = true,
      paramLabel = "NAME",
      description = "The consumer's name, as its receiver was told it.")
  private String consumer;

  @Option(
      names = "--id",
      required = true,
      paramLabel = "WHERE",
      description = "Where the message id is, as its receiver was told it: header:NAME, key, or"
          + " value:/json/pointer; with RocketMQ header:PROPERTY, and standard too.")
  private String id;

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
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "bytes",
      description = "What its keys and values are: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many messages of each kind are named (${DEFAULT-VALUE}).")
  private int samples;

  String consumer() {
    return consumer;
  }

  String id() {
    return id;
  }

  boolean comparesPayloads() {
    return fingerprint == Payload.VALUE;
  }

  MissingIdPolicy missingIds() {
    return missingIds;
  }

  Format format() {
    return format;
  }

  int samples() {
    return samples;
  }
}
