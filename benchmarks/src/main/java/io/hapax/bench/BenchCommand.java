package io.hapax.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

@Command(
    name = "bench",
    subcommands = {
      StoresCommand.class,
      EngineCommand.class,
      AuditBenchmark.class,
      KafkaCommand.class,
      RocketMqCommand.class,
      SpringCommand.class
    },
    sortOptions = false,
    description = {"Measures the cost of Hapax on real servers of this machine.", ""},
    footer = {
      "",
      "Exit code 0: a complete measurement, with any result. 1: a failure. 2: a bad option."
    })
public final class BenchCommand {

  private static final int BAD_OPTION = 2;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(
      names = "--help",
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  private boolean help;

  private BenchCommand() {}

  /**
   * Runs a benchmark.
   *
   * @param arguments its name and its options
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new BenchCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(BenchCommand::badOption);
  }

  private static int badOption(ParameterException problem, String[] arguments) {
    problem
        .getCommandLine()
        .getErr()
        .println("bench: "
            + String.valueOf(problem.getMessage()).lines().findFirst().orElse("bad option"));
    return BAD_OPTION;
  }
}
