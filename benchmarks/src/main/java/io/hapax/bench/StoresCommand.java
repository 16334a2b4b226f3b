package io.hapax.bench;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the stores. */
@Command(
    name = "stores",
    sortOptions = false,
    description = {
      "Measures each store on a server of its own: fresh ids are claimed and settled, known ids are"
          + " claimed, and runOnce marks ids in one transaction with an effect for each.",
      "",
      "Beside it, in the same rounds: the floor, a round trip or a commit for each command of each"
          + " message, and the limit, the server's own commands over the whole batch that move the"
          + " same bytes.",
      ""
    })
final class StoresCommand implements Callable<Integer> {

  private static final int MOST_MESSAGES_OF_A_ROUND = 50_000;
  private static final long MANY_MARKS = 10_000_000;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      split = ",",
      description = "Any of ${COMPLETION-CANDIDATES}; all by default.")
  private List<StoreKind> stores = List.of(StoreKind.values());

  @Option(
      names = "--batch",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,10,100,500",
      description = "Messages at once (${DEFAULT-VALUE}).")
  private List<Integer> batches;

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,8",
      description = "Threads (${DEFAULT-VALUE}).")
  private List<Integer> threads;

  @Option(
      names = "--marks",
      paramLabel = "N",
      split = ",",
      defaultValue = "0,1000000",
      description = "Marks that are in the store before (${DEFAULT-VALUE}).")
  private List<Long> marks;

  @Option(
      names = "--full",
      description =
          "Ten million marks too; h2 and memory, inside this process, are left out there.")
  private boolean full;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Rounds that count (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--round-millis",
      paramLabel = "MS",
      defaultValue = "150",
      description = "How long a round takes, about (${DEFAULT-VALUE}).")
  private int roundMillis;

  @Option(
      names = "--profile",
      description = "Samples each store once more at its largest batch, and says where time goes.")
  private boolean profile;

  @Mixin
  private JsonOption json;

  @SuppressWarnings("UnusedVariable") // picocli itself acts on it
  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  private boolean help;

  @Spec
  private CommandSpec spec;

  /** What the options ask for. */
  StoresSettings settings() {
    List<Long> allMarks = new ArrayList<>(marks);
    if (full) {
      allMarks.add(MANY_MARKS);
    }
    try {
      return new StoresSettings(
          stores,
          batches,
          threads,
          allMarks,
          new Pace(rounds, roundMillis, MOST_MESSAGES_OF_A_ROUND),
          profile);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  @Override
  public Integer call() throws Exception {
    StoresSettings settings = settings();
    json.refuseUnwritable();
    PrintWriter progress = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    Findings findings = new StoresBenchmark(settings, progress).run();
    spec.commandLine().getOut().print(new StoresTable(findings).text());
    findings.profiles().forEach(spec.commandLine().getOut()::print);
    spec.commandLine().getOut().flush();
    json.write(() -> StoresJson.of(findings));
    return 0;
  }
}
