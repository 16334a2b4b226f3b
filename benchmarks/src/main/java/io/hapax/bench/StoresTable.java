package io.hapax.bench;

import static io.hapax.bench.Benchmark.format;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Prints the rows of stores as one table.
 *
 * @param batches the batch sizes, one for each column
 */
record StoresTable(List<Integer> batches) {

  private static final String LINE = "%-9s %-20s %10s %7s";

  String text(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    text.append('\n').append(format(LINE, "store", "operation", "marks", "threads"));
    batches.forEach(batch -> text.append(format(" %9s", batch + " at once")));
    text.append(format(" %5s %9s %9s %7s %8s%n", "+-", "floor", "limit", "x floor", "of limit"));
    Map<List<Object>, Map<Integer, Row>> lines = new LinkedHashMap<>();
    for (Row row : rows) {
      lines
          .computeIfAbsent(
              List.of(row.store(), row.operation(), row.marks(), row.threads()),
              same -> new LinkedHashMap<>())
          .put(row.batch(), row);
    }
    lines.values().forEach(line -> line(text, line));
    return text.toString();
  }

  /** Prints a line. Spread, floor, limit and ratios are those of the largest batch. */
  private void line(StringBuilder text, Map<Integer, Row> line) {
    Row first = Objects.requireNonNull(line.get(batches.get(0)));
    text.append(format(
        LINE,
        first.store(),
        first.operation().title(),
        format("%,d", first.marks()),
        first.threads()));
    for (int batch : batches) {
      text.append(format(" %9s", rate(Objects.requireNonNull(line.get(batch)).hapax())));
    }
    Row largest = Objects.requireNonNull(line.get(batches.get(batches.size() - 1)));
    text.append(format(
        " %4.0f%% %9s %9s %7s %8s%n",
        largest.hapax().rate().percent(),
        rate(largest.floor()),
        rate(largest.limit()),
        largest.timesFloor().map(it -> format("%.1f", it)).orElse(""),
        largest.ofLimit().map(it -> format("%.0f %%", 100 * it)).orElse("")));
  }

  private static String rate(@Nullable Measurement measured) {
    return Optional.ofNullable(measured)
        .map(it -> format("%,d", Math.round(it.rate().median())))
        .orElse("");
  }
}
