package io.hapax.bench;

import static io.hapax.bench.Benchmark.format;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The messages a second of a store in one situation, with its floor and limit if there are any. */
record Row(
    StoreKind store,
    Operation operation,
    long marks,
    int threads,
    int batch,
    Spread hapax,
    @Nullable Spread floor,
    @Nullable Spread limit) {

  private static final String LINE = "%-9s %-20s %10s %7s";

  static List<Row> of(StoreKind store, long marks, int threads, Map<Contender, Spread> measured) {
    List<Row> rows = new ArrayList<>();
    measured.forEach((contender, rate) -> {
      if (contender.role() == Role.HAPAX) {
        Operation operation = contender.operation();
        int batch = contender.batch();
        rows.add(new Row(
            store,
            operation,
            marks,
            threads,
            batch,
            rate,
            find(measured, operation, Role.FLOOR, 1),
            find(measured, operation, Role.LIMIT, batch)));
      }
    });
    return rows;
  }

  private static @Nullable Spread find(
      Map<Contender, Spread> measured, Operation operation, Role role, int batch) {
    return measured.entrySet().stream()
        .filter(entry -> entry.getKey().operation() == operation
            && entry.getKey().role() == role
            && entry.getKey().batch() == batch)
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  Optional<Double> timesFloor() {
    return Optional.ofNullable(floor).map(hapax::times);
  }

  Optional<Double> ofLimit() {
    return Optional.ofNullable(limit).map(hapax::times);
  }

  /** Returns rows as one table, with a column for each batch size. */
  static String table(List<Integer> batches, List<Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append('\n').append(format(LINE, "store", "operation", "marks", "threads"));
    batches.forEach(batch -> text.append(format(" %9s", batch + " at once")));
    text.append(format(" %5s %9s %9s %7s %8s%n", "+-", "floor", "limit", "x floor", "of limit"));
    Map<List<Object>, Map<Integer, Row>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      lines
          .computeIfAbsent(
              List.of(row.store, row.operation, row.marks, row.threads),
              same -> new LinkedHashMap<>())
          .put(row.batch, row);
    }
    lines.values().forEach(line -> text.append(line(batches, line)));
    return text.toString();
  }

  /** Returns a line. Spread, floor, limit and ratios are those of the largest batch. */
  private static String line(List<Integer> batches, Map<Integer, Row> line) {
    Row largest = Objects.requireNonNull(line.get(batches.get(batches.size() - 1)));
    StringBuilder text = new StringBuilder(format(
        LINE,
        largest.store,
        largest.operation.title(),
        format("%,d", largest.marks),
        largest.threads));
    for (int batch : batches) {
      text.append(format(" %9s", rate(Objects.requireNonNull(line.get(batch)).hapax)));
    }
    text.append(format(
        " %4.0f%% %9s %9s %7s %8s%n",
        largest.hapax.percent(),
        rate(largest.floor),
        rate(largest.limit),
        largest.timesFloor().map(it -> format("%.1f", it)).orElse(""),
        largest.ofLimit().map(it -> format("%.0f %%", 100 * it)).orElse("")));
    return text.toString();
  }

  private static String rate(@Nullable Spread rate) {
    return rate == null ? "" : format("%,d", Math.round(rate.median()));
  }
}
