package io.hapax.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line of the demo. */
@Command(
    name = "demo",
    subcommands = ConsumeCommand.class,
    sortOptions = false,
    description = {
      "An order service that reads orders from a real broker, is killed in mid-batch, reads its"
          + " whole topic again, and then counts in a ledger how often each order took effect.",
      ""
    },
    footer = {
      "",
      "Exit code 0: every order took effect exactly once (leased: at least once, and every repeat"
          + " is explained by a counted takeover). 1: not so. 2: a bad option."
    })
final class DemoCommand implements Callable<Integer> {

  static final int BAD_OPTION = 2;

  private static final int POISON = 5;

  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many distinct orders are published (${DEFAULT-VALUE}).")
  private int orders;

  @Option(
      names = "--duplicates",
      paramLabel = "SHARE",
      defaultValue = "0.2",
      description = "Which share of them the producer sends twice (${DEFAULT-VALUE}).")
  private double duplicates;

  @Option(
      names = "--poison",
      paramLabel = "N",
      description =
          "How many messages beside them never take effect and must end as dead letters: an"
              + " order that always fails, one that cannot be read, one without an id ("
              + POISON
              + "; 0 with --naive).")
  private @Nullable Integer poison;

  @Option(
      names = "--kills",
      paramLabel = "K",
      defaultValue = "1",
      description = "How often the consumer is killed in mid-batch (${DEFAULT-VALUE}).")
  private int kills;

  @Option(
      names = "--stops",
      paramLabel = "N",
      defaultValue = "0",
      description = "How often it is stopped until another has taken over, and goes on"
          + " (${DEFAULT-VALUE}).")
  private int stops;

  @Option(
      names = "--store-restarts",
      paramLabel = "N",
      defaultValue = "0",
      description = "How often the store is killed under a consumer and started again"
          + " (${DEFAULT-VALUE}).")
  private int storeRestarts;

  @Option(
      names = "--broker-restarts",
      paramLabel = "N",
      defaultValue = "0",
      description = "How often the broker is (${DEFAULT-VALUE}).")
  private int brokerRestarts;

  @Option(
      names = "--replays",
      paramLabel = "R",
      defaultValue = "1",
      description = "How often the topic is read again from its beginning (${DEFAULT-VALUE}).")
  private int replays;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "${COMPLETION-CANDIDATES} (transactional if the store can).")
  private @Nullable Mode mode;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "h2",
      converter = StoreName.class,
      description = {
        "Where the marks are: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}). With redis and"
            + " redis-cluster, which are leased only, the ledger is in PostgreSQL."
      })
  private StoreKind store;

  @Option(
      names = "--broker",
      paramLabel = "BROKER",
      defaultValue = "kafka",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private BrokerKind broker;

  @Option(
      names = "--orderly",
      description = "Reads RocketMQ's queues in order; Kafka's partitions always are.")
  private boolean orderly;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Decides the orders and the kills (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes every figure of the table there.")
  private @Nullable Path json;

  @Option(
      names = "--naive",
      description = "Takes a plain at-least-once consumer instead of Hapax, to see it fail.")
  private boolean naive;

  /** For {@code .ci/rolling}. */
  @Option(
      names = "--old",
      paramLabel = "FILE",
      hidden = true,
      description = "Holds the class path of an older version: the group is upgraded from it, one"
          + " consumer after the other, and goes back to it. Up to two consumers are killed.")
  private @Nullable Path old;

  @SuppressWarnings("UnusedVariable") // picocli itself acts on it
  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  private boolean help;

  @Spec
  private CommandSpec spec;

  /** The parser, which answers a bad option with one line. */
  static CommandLine commandLine() {
    return new CommandLine(new DemoCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(DemoCommand::badOption)
        .setExecutionExceptionHandler(DemoCommand::failed);
  }

  private static int badOption(ParameterException problem, String[] arguments) {
    CommandLine line = problem.getCommandLine();
    line.getErr()
        .println("demo: "
            + String.valueOf(problem.getMessage()).lines().findFirst().orElse("bad option"));
    return BAD_OPTION;
  }

  private static int failed(Exception problem, CommandLine line, ParseResult result) {
    line.getErr().println("demo: failed");
    problem.printStackTrace(line.getErr());
    return 1;
  }

  /** What the options ask for. */
  DemoSettings settings() {
    if (naive && spec.commandLine().getParseResult().hasMatchedOption("--mode")) {
      throw new ParameterException(
          spec.commandLine(), "--naive has no --mode: it is the consumer without Hapax");
    }
    try {
      Mode asked = mode == null ? store.modes().get(0) : mode;
      Faults faults = new Faults(kills, stops, storeRestarts, brokerRestarts);
      return new DemoSettings(
          orders,
          duplicates,
          poison == null ? usualPoison() : poison,
          faults,
          replays,
          asked,
          broker,
          orderly,
          store,
          seed,
          naive);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int usualPoison() {
    return naive ? 0 : POISON;
  }

  private void refuseUnwritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
      throw new ParameterException(
          spec.commandLine(),
          "--json is " + file + " but must be a file in an existing folder that can be written to");
    }
  }

  @Override
  public Integer call() throws Exception {
    DemoSettings settings = settings();
    if (json != null) {
      refuseUnwritable(json);
    }
    Path folder = Files.createTempDirectory("hapax-demo-");
    try (Progress progress = Progress.onStandardError()) {
      Figures figures = new Campaign(settings, oldClassPath(), folder, progress).run();
      Report report = new Report(figures);
      spec.commandLine().getOut().print(report.table());
      spec.commandLine().getOut().flush();
      if (json != null) {
        report.write(json);
      }
      return figures.passed() ? 0 : 1;
    } finally {
      delete(folder);
    }
  }

  private Optional<String> oldClassPath() throws IOException {
    return old == null ? Optional.empty() : Optional.of(Files.readString(old).strip());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
