package io.hapax.cli;

import picocli.CommandLine.Option;

/** Whose marks. */
final class ConsumerOptions {

  @Option(
      names = "--consumer",
      required = true,
      paramLabel = "NAME",
      description = "The consumer's name, as its receiver was told it.")
  private String consumer;

  String consumer() {
    return consumer;
  }
}
