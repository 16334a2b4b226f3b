package io.hapax.bench;

import io.hapax.bench.EngineSubject.Cost;
import io.hapax.bench.EngineSubject.Round;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the engine. The cost of the store is measured separately and subtracted. */
@Command(
    name = "engine",
    sortOptions = false,
    description = {
      "Measures the cost of a message in the engine: with the in-memory store, handlers that do"
          + " nothing, and one submission after the other. The store is measured separately.",
      ""
    })
final class EngineCommand extends Benchmark<Map<EngineSubject, Cost>> {

  private static final int LANES = 8;
  private static final double MOST_NANOS = 2000;
  private static final double MOST_BYTES = 500;

  @Option(names = "--batch", description = "Messages of a submission (${DEFAULT-VALUE}).")
  private int batch = 500;

  @Option(names = "--messages", description = "Messages of a round (${DEFAULT-VALUE}).")
  private int messages = 100_000;

  @Option(
      names = "--rounds",
      description = "Rounds that count, after as many warm-up rounds (${DEFAULT-VALUE}).")
  private int rounds = 10;

  @Option(
      names = "--profile",
      description = "Runs more rounds with a profiler, and shows where time and bytes go.")
  private boolean profile;

  @Override
  void check() {
    between("--batch", batch, 1, 5000);
    between("--messages", messages, batch, 2_000_000);
    between("--rounds", rounds, 1, 1000);
  }

  @Override
  Map<EngineSubject, Cost> measure() throws Exception {
    EngineSetup setup = new EngineSetup(batch, LANES, messages / batch);
    Map<EngineSubject, Cost> medians = new LinkedHashMap<>();
    turns(rounds, rounds, List.of(EngineSubject.values()), (subject, round) -> setup.cost(subject))
        .forEach((subject, costs) -> medians.put(subject, Cost.median(costs)));
    if (profile) {
      for (EngineSubject subject : EngineSubject.values()) {
        addProfile(subject.title(), profile(setup, subject).text());
      }
    }
    return medians;
  }

  /** Samples the time and the allocations of rounds, without the creation of messages. */
  private HotSpots profile(EngineSetup setup, EngineSubject subject) throws Exception {
    List<Round> created = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      created.add(subject.round(setup));
    }
    try {
      return HotSpots.of(() -> {
        for (Round round : created) {
          round.run();
        }
      });
    } finally {
      created.forEach(Round::close);
    }
  }

  @Override
  String text(Machine machine, Map<EngineSubject, Cost> costs) {
    StringBuilder text = new StringBuilder();
    text.append(format(
        "%nHapax, engine: a message of %d at once in %d lanes, median of %d rounds; %s%n",
        batch, LANES, rounds, machine.date()));
    text.append(format("  machine: %s, load %.1f%n%n", machine.text(), Machine.load()));
    text.append(format("%-44s %10s %10s %10s%n", "", "ns passed", "ns of CPU", "bytes"));
    costs.forEach((subject, cost) -> text.append(line(subject.title(), cost)));
    Cost store = Objects.requireNonNull(costs.get(EngineSubject.STORE));
    costs.forEach((subject, cost) -> {
      if (subject != EngineSubject.STORE) {
        text.append(aim(subject, cost.minus(store)));
      }
    });
    return text.toString();
  }

  private static String aim(EngineSubject subject, Cost engine) {
    boolean reached = engine.cpuNanos() <= MOST_NANOS && engine.bytes() <= MOST_BYTES;
    return line("the engine: " + subject.title().replace("engine and store, ", ""), engine)
        + format(
            "  %s: %.0f ns of CPU, aim at most %.0f; %.0f bytes, aim at most %.0f%n",
            reached(reached), engine.cpuNanos(), MOST_NANOS, engine.bytes(), MOST_BYTES);
  }

  private static String line(String title, Cost cost) {
    return format(
        "%-44s %10.0f %10.0f %10.0f%n", title, cost.wallNanos(), cost.cpuNanos(), cost.bytes());
  }
}
