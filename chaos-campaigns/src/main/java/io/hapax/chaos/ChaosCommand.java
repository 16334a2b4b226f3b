package io.hapax.chaos;

import io.hapax.console.ConsoleServer;
import io.hapax.demo.ServiceCommand;
import io.hapax.demo.Termination;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
public final class ChaosCommand implements Callable<Integer> {

  private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

  /** Gives an order as many attempts as in a campaign with this number of kills. */
  private static final int KILLS_WHILE_SERVING = 10;

  private static final String WITH_SERVE = "--listen, --store, --mode, --broker";

  /** The naive consumer survives no other fault, no poison and no second member. */
  private static final String WITH_NAIVE =
      "--orders, --duplicates, --kills, --replays, --store, --broker, --seed, --no-scenes";

  @Mixin
  ChaosSettings settings;

  @Option(
      names = "--serve",
      description = "Serves a web page whose buttons kill consumers, stop the store and replay the"
          + " topic, until the demo is stopped. The store is postgres unless --store names another"
          + " one.")
  private boolean serve;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "The address of that page (127.0.0.1:8090).")
  private @Nullable String listen;

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

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new ChaosCommand());
    for (FaultKind fault : FaultKind.values()) {
      line.getCommandSpec()
          .addOption(OptionSpec.builder(fault.option())
              .paramLabel("N")
              .type(int.class)
              .defaultValue(fault == FaultKind.KILL ? "1" : "0")
              .description(fault.help())
              .build());
    }
    return ServiceCommand.answering(line)
        .setCommandName(System.getProperty("chaos.command", "chaos"))
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() throws Exception {
    try {
      checkOptions();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    Path folder = Files.createTempDirectory("hapax-chaos-");
    try (Termination termination = serve ? Termination.listen() : null) {
      try {
        return termination == null ? campaign(folder) : serve(folder, termination);
      } finally {
        delete(folder);
      }
    }
  }

  void checkOptions() {
    for (FaultKind fault : FaultKind.values()) {
      settings.faults.put(fault, spec.findOption(fault.option()).getValue());
    }
    if (serve) {
      checkServe();
      return;
    }
    if (settings.naive) {
      takesOnly("--naive", WITH_NAIVE);
    }
    ChaosSettings.refuseIf(listen != null, "--listen must be given with --serve only");
    ChaosSettings.refuseIf(
        old != null && !settings.group().alone(),
        "--old must not be given with --members: it starts its own group");
    settings.check();
  }

  private void checkServe() {
    takesOnly("--serve", WITH_SERVE);
    if (!spec.commandLine().getParseResult().hasMatchedOption("--store")) {
      settings.store = CampaignStore.POSTGRES;
    }
    ChaosSettings.refuseIf(
        !settings.store.hasServer(),
        "--store is " + settings.store + " but must be another one with --serve: its file belongs"
            + " to one process, and several consumers run");
    settings.checkMode();
    settings.faults.put(FaultKind.KILL, KILLS_WHILE_SERVING);
    checkFree(address());
  }

  private void takesOnly(String option, String permitted) {
    List<String> names = List.of(permitted.split(", ", -1));
    for (OptionSpec given : spec.commandLine().getParseResult().matchedOptions()) {
      String name = given.longestName();
      ChaosSettings.refuseIf(
          !name.equals(option) && !names.contains(name),
          name + " must not be given with " + option + ", which takes only " + permitted);
    }
  }

  private int campaign(Path folder) throws Exception {
    Optional<String> oldClassPath =
        old == null ? Optional.empty() : Optional.of(Files.readString(old).strip());
    Report report = Campaign.run(settings, oldClassPath, folder, this::progress);
    print(report.table());
    return report.verdict().holds() ? 0 : 1;
  }

  private int serve(Path folder, Termination termination) throws Exception {
    Serving.run(
        settings,
        folder,
        this::progress,
        servers -> LiveDemo.run(servers, address(), folder, demo -> {
          print("Open %s%nCtrl-C ends the demo.%n".formatted(demo.signIn()));
          while (!termination.await(CHECK_INTERVAL)) {
            // the console and the consumers run
          }
          progress("ending consumers and servers");
        }));
    return 0;
  }

  /** Prints a step to the standard error, so that the table can be piped. */
  private void progress(String step) {
    PrintWriter errors = spec.commandLine().getErr();
    errors.println("  " + step);
    errors.flush();
  }

  private InetSocketAddress address() {
    InetSocketAddress address = ConsoleServer.parse(listen == null ? "127.0.0.1:8090" : listen);
    ChaosSettings.refuseIf(
        address.isUnresolved(), "--listen is " + listen + " but that host name cannot be resolved");
    ChaosSettings.refuseIf(
        !address.getAddress().isLoopbackAddress(),
        "--listen is " + listen + " but must be a loopback address such as 127.0.0.1");
    return address;
  }

  /** Checks the address now, because the servers take a while to start. */
  private static void checkFree(InetSocketAddress address) {
    try {
      new ServerSocket(address.getPort(), 1, address.getAddress()).close();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--listen is " + address.getHostString() + ':' + address.getPort()
              + " but that address is not free: " + e.getMessage(),
          e);
    }
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
