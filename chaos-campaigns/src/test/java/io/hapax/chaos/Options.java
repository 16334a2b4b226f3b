package io.hapax.chaos;

import picocli.CommandLine;

/** The settings of {@code ./chaos}. */
final class Options {

  private Options() {}

  /** Returns the settings for these options. */
  static ChaosSettings parse(String options) {
    String[] words = options.isEmpty() ? new String[0] : options.split(" ", -1);
    CommandLine.ParseResult result = ChaosCommand.commandLine().parseArgs(words);
    return ((ChaosCommand) result.commandSpec().userObject()).settings();
  }
}
