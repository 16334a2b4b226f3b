package io.hapax.cli;

import java.util.LinkedHashSet;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/** The command line: one subcommand for each job. */
@Command(
    name = "hapax",
    subcommands = {
      AuditCommand.class,
      ReplayCommand.class,
      RedriveCommand.class,
      StaleCommand.class,
      GenerationCommand.class
    },
    sortOptions = false,
    description = {
      "Says what of a topic would run again, moves a stopped group back, brings dead letters back,"
          + " sees to marks whose message does not come back, and moves a consumer's generation.",
      ""
    },
    footer = {
      "",
      "Exit code 0: nothing would run again, or all was brought back, or done. 1: something would,"
          + " or is running; or not all was brought back; or there are stale marks.",
      "2: a bad option. 3: it could not be finished, or was refused."
    })
final class HapaxCommand implements Runnable {

  /** What was asked is so, or was done. */
  static final int WELL = 0;

  /** Something would run again, is stale, or was not brought back. */
  static final int SOMETHING_LEFT = 1;

  static final int MISUSE = 2;
  static final int NOT_FINISHED = 3;

  @SuppressWarnings("UnusedVariable") // picocli itself acts on it
  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  private boolean help;

  @Spec
  private CommandSpec spec;

  /** The parser, which answers what goes wrong with one line. */
  static CommandLine commandLine() {
    return new CommandLine(new HapaxCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(HapaxCommand::badOption)
        .setExecutionStrategy(HapaxCommand::execute)
        .setExecutionExceptionHandler(HapaxCommand::failed);
  }

  /** An error would end the process with 1, and that is a verdict. */
  private static int execute(ParseResult result) {
    try {
      return new RunLast().execute(result);
    } catch (Error e) {
      String what = "the command broke: " + e.getClass().getSimpleName();
      throw new ExecutionException(result.commandSpec().commandLine(), what, e);
    }
  }

  private static int badOption(ParameterException problem, String[] arguments) {
    tell(
        problem.getCommandLine(),
        String.valueOf(problem.getMessage()).lines().findFirst().orElse("bad option"));
    return MISUSE;
  }

  /** What an option names and is not there is a misuse; what does not answer is not. */
  private static int failed(Exception problem, CommandLine line, ParseResult result) {
    Set<String> reasons = new LinkedHashSet<>();
    for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
      reasons.add(reason(cause));
    }
    tell(line, String.join(": ", reasons));
    return problem instanceof IllegalArgumentException ? MISUSE : NOT_FINISHED;
  }

  private static String reason(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank()
        ? cause.getClass().getSimpleName()
        : message.strip();
  }

  private static void tell(CommandLine line, String reason) {
    line.getErr().println("hapax: " + Lines.oneOf(reason));
    line.getErr().flush();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: audit, replay, redrive, stale or generation, or --help");
  }
}
