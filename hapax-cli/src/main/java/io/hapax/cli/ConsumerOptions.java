package io.hapax.cli;

import picocli.CommandLine.Option;

/** The option that names the consumer of the marks. */
final class ConsumerOptions {

  @Option(
      names = "--consumer",
      required = true,
      paramLabel = "NAME",
      description = "The consumer's name, as its receiver is configured.")
  private String consumer;

  String consumer() {
    return consumer;
  }
}
