package io.hapax.cli;

import picocli.CommandLine.Option;

/** The options for reading message ids. */
final class IdOptions {

  @Option(
      names = "--id",
      required = true,
      paramLabel = "WHERE",
      description = {
        "The place of the message id, as its receiver is configured:",
        "header:NAME, key, or value:/json/pointer;",
        "with RocketMQ header:PROPERTY, and also standard.",
        "Put topic/ before it if the id identifies a message within its topic, as it does for"
            + " listeners of Spring: topic/header:NAME."
      })
  private String id;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "bytes",
      description = "The type of its keys and values: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format;

  ReadingSettings of(ConsumerOptions consumer) {
    return ReadingSettings.of(consumer.consumer(), id, format);
  }
}
