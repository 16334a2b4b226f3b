package io.hapax.bench;

import static io.hapax.bench.Benchmark.format;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The messages a second of a store in one situation, with floors and limits if there are any. */
record StoreRates(StoreKind store, long marks, int threads, Map<Contender, Spread> rates) {

  private static final String LINE = "%-9s %-20s %10s %7s";

  /** Returns the rate of a role; the floor is that of a message by itself. */
  Optional<Spread> rate(Operation operation, Role role, int batch) {
    return Optional.ofNullable(
        rates.get(new Contender(operation, role, role == Role.FLOOR ? 1 : batch)));
  }

  Optional<Double> times(Operation operation, Role other, int batch) {
    return rate(operation, Role.HAPAX, batch)
        .flatMap(own -> rate(operation, other, batch).map(own::times));
  }

  static String table(List<Integer> batches, List<StoreRates> situations) {
    StringBuilder text = new StringBuilder();
    text.append('\n').append(format(LINE, "store", "operation", "marks", "threads"));
    batches.forEach(batch -> text.append(format(" %9s", batch + " at once")));
    text.append(format(" %5s %9s %9s %7s %8s%n", "+-", "floor", "limit", "x floor", "of limit"));
    for (StoreRates situation : situations) {
      for (Operation operation : Operation.values()) {
        text.append(situation.line(operation, batches));
      }
    }
    return text.toString();
  }

  /** Returns a line. Spread, floor, limit and ratios are those of the largest batch. */
  private String line(Operation operation, List<Integer> batches) {
    int largest = batches.get(batches.size() - 1);
    Optional<Spread> own = rate(operation, Role.HAPAX, largest);
    if (own.isEmpty()) {
      return "";
    }
    StringBuilder text =
        new StringBuilder(format(LINE, store, operation.title(), format("%,d", marks), threads));
    batches.forEach(batch ->
        text.append(format(" %9s", median(rate(operation, Role.HAPAX, batch)))));
    text.append(format(
        " %4.0f%% %9s %9s %7s %8s%n",
        own.get().percent(),
        median(rate(operation, Role.FLOOR, largest)),
        median(rate(operation, Role.LIMIT, largest)),
        times(operation, Role.FLOOR, largest).map(it -> format("%.1f", it)).orElse(""),
        times(operation, Role.LIMIT, largest)
            .map(it -> format("%.0f %%", 100 * it))
            .orElse("")));
    return text.toString();
  }

  private static String median(Optional<Spread> rate) {
    return rate.map(it -> format("%,d", Math.round(it.median()))).orElse("");
  }
}
