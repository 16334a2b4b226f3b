package io.hapax.bench;

import io.hapax.bench.EngineRounds.Subject;
import io.hapax.bench.ThreadMeter.Cost;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "engine",
    sortOptions = false,
    description = {
      "Measures the cost of a message in the engine: with the in-memory store, handlers that do"
          + " nothing, and one submission after the other. The store is measured separately. As many"
          + " rounds warm up as count.",
      ""
    })
final class EngineCommand extends Benchmark {

  private static final int LANES = 8;

  @Option(names = "--batch", description = "Messages of a submission (${DEFAULT-VALUE}).")
  private int batch = 500;

  @Option(names = "--messages", description = "Messages of a round (${DEFAULT-VALUE}).")
  private int messages = 100_000;

  EngineCommand() {
    super(10);
  }

  @Override
  void check() {
    between("--batch", batch, 1, 5000);
    between("--messages", messages, batch, 2_000_000);
  }

  @Override
  String measure(Machine machine) throws Exception {
    EngineRounds engine = new EngineRounds(batch, LANES, messages / batch);
    Map<Subject, Cost> costs = turns(
        rounds(),
        rounds(),
        List.of(Subject.values()),
        (subject, round) -> engine.cost(subject),
        Cost::median);
    StringBuilder text = new StringBuilder();
    text.append(format(
        "%nHapax, engine: a message of %d at once in %d lanes, median of %d rounds; %s%n",
        batch, LANES, rounds(), machine.date()));
    text.append(format("  machine: %s, load %.1f%n%n", machine.text(), Machine.load()));
    text.append(format("%-44s %10s %10s %10s%n", "", "ns passed", "ns of CPU", "bytes"));
    costs.forEach((subject, cost) -> text.append(line(subject.title(), cost)));
    Cost store = Objects.requireNonNull(costs.get(Subject.STORE));
    costs.forEach((subject, cost) -> {
      if (subject != Subject.STORE) {
        String title = "the engine: " + subject.title().replace("engine and store, ", "");
        text.append(line(title, cost.minus(store)));
      }
    });
    return text.toString();
  }

  private static String line(String title, Cost cost) {
    return format(
        "%-44s %10.0f %10.0f %10.0f%n", title, cost.wallNanos(), cost.cpuNanos(), cost.bytes());
  }
}
