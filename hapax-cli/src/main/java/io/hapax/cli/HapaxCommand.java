package io.hapax.cli;

import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line: one subcommand for each job. */
@Command(
    name = "hapax",
    subcommands = {
      ShowCommand.class,
      AuditCommand.class,
      ReplayCommand.class,
      RedriveCommand.class,
      StaleCommand.class,
      GenerationCommand.class,
      ConsoleCommand.class
    },
    sortOptions = false,
    description = {
      "Shows what happened to one message and which messages of a topic would run again, replays"
          + " a topic for a stopped group, redrives dead-letter records, handles stale marks, moves a consumer to its next"
          + " generation, and serves a web console for these tasks.",
      ""
    },
    footer = {
      "",
      "Exit code 0: no message would run again, or the command did all its work. 1: some would"
          + " run again or are running, some records were refused, or there are stale marks.",
      "2: a bad option. 3: the command failed or was refused."
    })
final class HapaxCommand implements Runnable {

  /** The exit code if the command succeeded and found nothing that needs attention. */
  static final int SUCCESS = 0;

  /** The exit code if a message would run again, a mark is stale, or a record was refused. */
  static final int ATTENTION_NEEDED = 1;

  static final int MISUSE = 2;
  static final int NOT_FINISHED = 3;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(
      names = "--help",
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Shows this help.")
  private boolean help;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(
      names = "--version",
      versionHelp = true,
      description = "Shows the versions of Hapax and Java.")
  private boolean version;

  @Spec
  private CommandSpec spec;

  /** Returns a parser that answers an error with one line. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new HapaxCommand());
    line.getCommandSpec().version("hapax " + version() + ", Java " + Runtime.version());
    line.getSubcommands().values().forEach(HapaxCommand::nameRequired);
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Duration.class, DurationOption::parse)
        .setParameterExceptionHandler(HapaxCommand::badOption)
        .setExecutionStrategy(HapaxCommand::execute)
        .setExecutionExceptionHandler(HapaxCommand::failed);
  }

  /** Returns the version of the jar; compiled classes without a jar have none. */
  private static String version() {
    String version = HapaxCommand.class.getPackage().getImplementationVersion();
    return version == null ? "(not a released jar)" : version;
  }

  /** Names the required options before the list, because the usage line cannot show so many. */
  private static void nameRequired(CommandLine command) {
    String required = command.getCommandSpec().options().stream()
        .filter(option -> option.required() && option.group() == null)
        .map(OptionSpec::longestName)
        .collect(Collectors.joining(", "));
    command
        .getCommandSpec()
        .usageMessage()
        .abbreviateSynopsis(true)
        .optionListHeading("Options, of which these are required: " + required + "%n");
  }

  /** Runs the command. An uncaught error would end the process with 1, which is a result. */
  private static int execute(ParseResult result) {
    try {
      return new RunLast().execute(result);
    } catch (Error e) {
      String what = "unexpected error: " + e.getClass().getSimpleName();
      throw new ExecutionException(result.commandSpec().commandLine(), what, e);
    }
  }

  private static int badOption(ParameterException problem, String[] arguments) {
    String reason = String.valueOf(problem.getMessage()).lines().findFirst().orElse("bad option");
    List<String> similar = problem instanceof UnmatchedArgumentException unmatched
        ? unmatched.getSuggestions()
        : List.of();
    printError(
        problem.getCommandLine(),
        similar.isEmpty() ? reason : reason + "; did you mean " + similar.get(0) + "?");
    return MISUSE;
  }

  /**
   * Returns the exit code of a failure: a missing file of an option is a bad option, an unreachable
   * server is not.
   */
  private static int failed(Exception problem, CommandLine line, ParseResult result) {
    printError(line, TextExceptions.text(problem).toString());
    return problem instanceof IllegalArgumentException ? MISUSE : NOT_FINISHED;
  }

  /** Prints text at once. */
  static void print(CommandSpec spec, String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }

  static void printError(CommandLine line, String reason) {
    line.getErr().println("hapax: " + Text.sanitize(reason));
    line.getErr().flush();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing, one of show, audit, replay, redrive, stale, generation and console, or --help");
  }
}
