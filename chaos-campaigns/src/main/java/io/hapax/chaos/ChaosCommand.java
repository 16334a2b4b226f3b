package io.hapax.chaos;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.Mode;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.Termination;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line of {@code ./chaos}, and with its defaults of {@code ./demo}. */
@Command(
    name = "chaos",
    subcommands = ConsumeCommand.class,
    sortOptions = false,
    description = {
      "Runs an order service on a real broker, kills it with a batch in flight, replays its"
          + " topic, and counts in a ledger how often each order took effect.",
      ""
    },
    footer = {
      "",
      "Exit code 0: every order took effect exactly once (leased: at least once, and a counted"
          + " takeover explains each repeat), and all scenes passed. 1: the guarantee was violated."
          + " 2: an invalid option."
    })
final class ChaosCommand implements Callable<Integer> {

  static final int BAD_OPTION = 2;

  private static final int POISON = 5;

  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The number of distinct orders (${DEFAULT-VALUE}).")
  private int orders;

  @Option(
      names = "--duplicates",
      paramLabel = "SHARE",
      defaultValue = "0.2",
      description = "The share of orders that the producer sends twice (${DEFAULT-VALUE}).")
  private double duplicates;

  @Option(
      names = "--poison",
      paramLabel = "N",
      description =
          "The number of further messages that never take effect and must be dead-lettered: an"
              + " order that always fails, one that cannot be read, one without an id ("
              + POISON
              + "; 0 with --naive).")
  private @Nullable Integer poison;

  @Option(
      names = "--kills",
      paramLabel = "K",
      defaultValue = "1",
      description = "The number of kills of a consumer with a batch in flight (${DEFAULT-VALUE}).")
  private int kills;

  @Option(
      names = "--stops",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of consumers that are stopped until another one has taken over"
          + " (${DEFAULT-VALUE}).")
  private int stops;

  @Option(
      names = "--store-restarts",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "The number of kills and restarts of the store under a consumer" + " (${DEFAULT-VALUE}).")
  private int storeRestarts;

  @Option(
      names = "--broker-restarts",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of kills and restarts of the broker (${DEFAULT-VALUE}).")
  private int brokerRestarts;

  @Option(
      names = "--resets",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of resets of the group's offsets to 0 while it has messages in"
          + " flight; with --members (${DEFAULT-VALUE}).")
  private int resets;

  @Option(
      names = "--scalings",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of times that a further member joins the group and then another"
          + " one leaves; with --members (${DEFAULT-VALUE}).")
  private int scalings;

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "1",
      description = "Kafka: the number of consumers that run at once (${DEFAULT-VALUE}).")
  private int members;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "" + OrderChannel.PARTITIONS,
      description = "Kafka: the number of partitions of the topic (${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--protocol",
      paramLabel = "PROTOCOL",
      defaultValue = "classic",
      description = "Kafka: the group protocol, ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private GroupProtocol protocol;

  @Option(
      names = "--replays",
      paramLabel = "R",
      defaultValue = "1",
      description = "The number of replays of the whole topic (${DEFAULT-VALUE}).")
  private int replays;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "${COMPLETION-CANDIDATES} (the first one that the store supports).")
  private @Nullable Mode mode;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "h2",
      description = {
        "The store of the marks: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}). redis and"
            + " redis-cluster are leased only, with the ledger in PostgreSQL."
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
      description = "Reads RocketMQ's queues in order, as Kafka's partitions always are.")
  private boolean orderly;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Determines the orders and the kills (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--naive",
      description = "Uses a plain at-least-once consumer instead of Hapax, which fails.")
  private boolean naive;

  @Option(
      names = "--spring",
      description =
          "Uses a listener of Spring Kafka or rocketmq-spring with @Idempotent, in Spring Boot.")
  private boolean spring;

  @Option(
      names = "--no-scenes",
      description = "Leaves out the scenes: an order that is submitted twice, stock, a payment,"
          + " events out of order, and a slow SMS.")
  private boolean noScenes;

  @Mixin
  private ServeOptions serve;

  /** Used by {@code .ci/rolling}. */
  @Option(
      names = "--old",
      paramLabel = "FILE",
      hidden = true,
      description =
          "The class path of an older version. The group is upgraded from it, one consumer"
              + " after the other, and downgraded. Up to two consumers are killed.")
  private @Nullable Path old;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(names = "--help", usageHelp = true, description = "Shows this help.")
  private boolean help;

  @Spec
  private CommandSpec spec;

  /** Returns a parser that answers a bad option with one line. */
  static CommandLine commandLine() {
    return new CommandLine(new ChaosCommand())
        .setCommandName(System.getProperty("chaos.command", "chaos"))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(ChaosCommand::badOption)
        .setExecutionExceptionHandler(ChaosCommand::failed);
  }

  private static int badOption(ParameterException problem, String[] arguments) {
    CommandLine line = problem.getCommandLine();
    line.getErr()
        .println(line.getCommandName() + ": "
            + String.valueOf(problem.getMessage()).lines().findFirst().orElse("bad option"));
    return BAD_OPTION;
  }

  private static int failed(Exception problem, CommandLine line, ParseResult result) {
    line.getErr().println(line.getCommandName() + ": failed");
    problem.printStackTrace(line.getErr());
    return 1;
  }

  /** Returns the settings that the options define. */
  ChaosSettings settings() {
    if (naive && spec.commandLine().getParseResult().hasMatchedOption("--mode")) {
      throw new ParameterException(
          spec.commandLine(), "--naive has no --mode: it is the consumer without Hapax");
    }
    if (old != null && members > 1) {
      throw new ParameterException(
          spec.commandLine(), "--old must not be given with --members: it starts its own group");
    }
    try {
      Mode asked = mode == null ? store.modes().get(0) : mode;
      FaultPlan faults =
          new FaultPlan(kills, stops, storeRestarts, brokerRestarts, resets, scalings);
      return new ChaosSettings(
          orders,
          duplicates,
          poison == null ? defaultPoison() : poison,
          faults,
          replays,
          asked,
          broker,
          new GroupPlan(members, partitions, protocol),
          orderly,
          store,
          seed,
          naive,
          spring,
          !noScenes);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int defaultPoison() {
    return naive ? 0 : POISON;
  }

  @Override
  public Integer call() throws Exception {
    if (serve.requested()) {
      return callServe();
    }
    ChaosSettings settings = settings();
    Path folder = Files.createTempDirectory("hapax-chaos-");
    try {
      Report report =
          new Campaign(settings, oldClassPath(), folder, Progress.onStandardError()).run();
      spec.commandLine().getOut().print(report.table());
      spec.commandLine().getOut().flush();
      return report.verdict().holds() ? 0 : 1;
    } finally {
      delete(folder);
    }
  }

  private int callServe() throws Exception {
    StoreKind shared = serve.store(store);
    Mode asked = serve.mode(shared, mode);
    Path folder = Files.createTempDirectory("hapax-chaos-");
    try (Termination termination = Termination.listen()) {
      try {
        serve.run(shared, asked, folder, Progress.onStandardError(), termination);
        return 0;
      } finally {
        delete(folder);
      }
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
