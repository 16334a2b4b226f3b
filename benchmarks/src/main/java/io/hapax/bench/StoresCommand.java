package io.hapax.bench;

import io.hapax.bench.Contender.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class StoresCommand extends Benchmark {

  /** The least number of known messages, because claims of known messages need some. */
  static final long KNOWN_AT_LEAST = 10_000;

  private static final int MOST_MESSAGES_OF_A_ROUND = 50_000;
  private static final long MOST_IN_PROCESS = 1_000_000;
  private static final long FILLED_ONCE = 500_000;

  @Option(
      names = "--store",
      split = ",",
      description = "Any of ${COMPLETION-CANDIDATES}; all by default.")
  private List<StoreKind> stores = List.of(StoreKind.values());

  @Option(names = "--batch", split = ",", description = "Messages of one call (${DEFAULT-VALUE}).")
  private List<Integer> batches = List.of(1, 10, 100, 500);

  @Option(names = "--threads", split = ",", description = "Threads (${DEFAULT-VALUE}).")
  private List<Integer> threads = List.of(1, 8);

  @Option(
      names = "--marks",
      split = ",",
      description = "Marks in the store before the measurement (${DEFAULT-VALUE}).")
  private List<Long> marks = List.of(0L, 1_000_000L);

  @Option(
      names = "--round-millis",
      description = "The approximate time of a round (${DEFAULT-VALUE}).")
  private int roundMillis = 150;

  @Option(
      names = "--profile",
      description = "Shows the CPU time of a message in this process and in the server.")
  private boolean profile;

  StoresCommand() {
    super(5);
  }

  @Override
  void check() {
    batches.forEach(batch -> between("--batch", batch, 1, 5000));
    threads.forEach(number -> between("--threads", number, 1, 32));
    marks.forEach(number -> between("--marks", number, 0, 100_000_000));
    between("--round-millis", roundMillis, 1, 60_000);
    stores = distinct(stores);
    batches = distinct(batches);
    threads = distinct(threads);
    marks = distinct(marks);
  }

  private static <T extends Comparable<T>> List<T> distinct(List<T> values) {
    return values.stream().distinct().sorted().toList();
  }

  @Override
  String measure(Machine machine) throws Exception {
    double loadBefore = Machine.load();
    StringBuilder servers = new StringBuilder();
    List<StoreRates> rows = new ArrayList<>();
    StringBuilder leftOut = new StringBuilder();
    for (StoreKind kind : stores) {
      tell("starting %s", kind);
      try (BenchmarkTarget target = kind.open()) {
        servers.append(format("  %s: %s%n", kind, target.settings()));
        for (long number : marks) {
          boolean inProcess = kind == StoreKind.H2 || kind == StoreKind.MEMORY;
          if (!inProcess || number <= MOST_IN_PROCESS) {
            rows.addAll(measure(kind, target, number));
          } else {
            leftOut.append(format(
                "%nleft out: %s with %,d marks: stores inside this process share its memory and are"
                    + " measured with at most %,d%n",
                kind, number, MOST_IN_PROCESS));
          }
        }
      }
    }
    return format(
            "%nHapax, stores: messages a second, median of %d rounds of %d ms; %s%n"
                + "  machine: %s, load %.1f before and %.1f after%n",
            rounds(), roundMillis, machine.date(), machine.text(), loadBefore, Machine.load())
        + servers
        + StoreRates.table(batches, rows)
        + leftOut;
  }

  /**
   * Measures a store, and fills it again for each race to remove the marks of the race before. With
   * very many marks this makes no difference and takes long, so it is left out.
   */
  private List<StoreRates> measure(StoreKind kind, BenchmarkTarget target, long before)
      throws Exception {
    List<StoreRates> rows = new ArrayList<>();
    long known = Math.max(KNOWN_AT_LEAST, before);
    boolean empty = true;
    for (int number : threads) {
      if (empty || known < FILLED_ONCE) {
        target.fill(known);
        empty = false;
      }
      tell("%s, %,d marks, threads %d: filled", kind, before, number);
      rows.add(new StoreRates(kind, before, number, race(kind, target, number, known)));
    }
    return rows;
  }

  /**
   * Measures contenders side by side. Each is warmed up until its rounds have their length. Then
   * all run one round after the other in turn, so that other load on the machine affects all of
   * them alike.
   *
   * <p>JMH does not fit: it measures one benchmark after the other, and ratios need rounds that are
   * close together. Its threads also do not start together after they have prepared their messages.
   */
  private Map<Contender, Spread> race(
      StoreKind kind, BenchmarkTarget target, int number, long known) throws Exception {
    List<ContenderRun> runs = new ArrayList<>();
    try {
      for (Role role : Role.values()) {
        for (int batch : role == Role.FLOOR ? List.of(1) : batches) {
          target
              .tasks(role)
              .forEach((operation, tasks) -> runs.add(
                  new ContenderRun(new Contender(operation, role, batch), tasks, number, known)));
        }
      }
      for (ContenderRun run : runs) {
        run.warmUp(roundMillis, MOST_MESSAGES_OF_A_ROUND);
      }
      turns(0, rounds(), runs, (run, round) -> run.round(), Spread::of);
      Map<Contender, Spread> measured = new HashMap<>();
      for (ContenderRun run : runs) {
        run.addTo(measured);
        if (profile) {
          addProfile(format("%s, %s, %d threads", kind, run.title(), number), run.cpu());
        }
      }
      return measured;
    } finally {
      runs.forEach(ContenderRun::close);
    }
  }
}
