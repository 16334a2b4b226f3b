package io.hapax.cli;

import picocli.CommandLine.Option;

/** How a consumer tells its messages apart. */
final class IdOptions {

  @Option(
      names = "--id",
      required = true,
      paramLabel = "WHERE",
      description = "Where the message id is, as its receiver was told it: header:NAME, key, or"
          + " value:/json/pointer; with RocketMQ header:PROPERTY, and standard too.")
  private String id;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "bytes",
      description = "What its keys and values are: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format;

  Reading of(ConsumerOptions consumer) {
    return Reading.of(consumer.consumer(), id, format);
  }
}
