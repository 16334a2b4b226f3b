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
      "Measures each store on its own server: it claims and settles fresh ids, claims known ids,"
          + " and marks ids with runOnce in one transaction with an effect for each. In databases"
          + " it also gives known ids to runOnce, and looks them up as receivers do before it.",
      "",
      "The same rounds measure a floor and a limit. The floor is a round trip or a commit for"
          + " each command of each message. The limit is the server's own commands over the whole"
          + " batch that move the same bytes.",
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
      description = "Messages of one call (${DEFAULT-VALUE}).")
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
      description = "Marks in the store before the measurement (${DEFAULT-VALUE}).")
  private List<Long> marks;

  @Option(
      names = "--full",
      description = "Ten million marks too, without h2 and memory, which are inside this process.")
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
      description = "The approximate time of a round (${DEFAULT-VALUE}).")
  private int roundMillis;

  @Option(
      names = "--profile",
      description = "Profiles each store at its largest batch, and shows where time goes.")
  private boolean profile;

  @Mixin
  private JsonOption json;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private HelpOption help;

  @Spec
  private CommandSpec spec;

  /** Returns the settings that the options define. */
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
    StoresResults results = new StoresBenchmark(settings, progress).run();
    spec.commandLine().getOut().print(new StoresTable(results).text());
    results.profiles().forEach(spec.commandLine().getOut()::print);
    spec.commandLine().getOut().flush();
    json.write(() -> StoresJson.of(results));
    return 0;
  }
}
