package io.hapax.bench;

import picocli.CommandLine.Option;

/** The option that shows the help of a command. */
final class HelpOption {

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(names = "--help", usageHelp = true, description = "Shows this help.")
  private boolean help;
}
