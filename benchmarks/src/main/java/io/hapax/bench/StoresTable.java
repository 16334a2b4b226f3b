package io.hapax.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Prints a run of the stores as text: a header, one table and the targets. */
final class StoresTable {

  private static final String LINE = "%-9s %-20s %10s %7s";

  private final StoresResults results;

  StoresTable(StoresResults results) {
    this.results = results;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    header(text);
    table(text);
    results.leftOut().forEach(what -> text.append("\nleft out: ").append(what).append('\n'));
    aims(text);
    return text.toString();
  }

  private void header(StringBuilder text) {
    StoresSettings settings = results.settings();
    text.append("\nHapax, stores: messages a second, median of %d rounds of %d ms; %s%n"
        .formatted(settings.pace().rounds(), settings.pace().millis(), results.date()));
    text.append("  machine: ").append(Machine.text(results.machine()));
    text.append(
        format(", load %.1f before and %.1f after%n", results.loadBefore(), results.loadAfter()));
    results
        .servers()
        .forEach((store, said) -> text.append(
            format("  %s: %s%n", store, said.isEmpty() ? "in this process" : Machine.text(said))));
  }

  private void table(StringBuilder text) {
    List<Integer> batches = results.settings().batches();
    text.append('\n').append(format(LINE, "store", "operation", "marks", "threads"));
    batches.forEach(batch -> text.append(format(" %9s", batch + " at once")));
    text.append(format(" %5s %9s %9s %7s %8s%n", "+-", "floor", "limit", "x floor", "of limit"));
    Map<List<Object>, Map<Integer, Row>> lines = new LinkedHashMap<>();
    for (Row row : results.rows()) {
      lines
          .computeIfAbsent(
              List.of(row.store(), row.operation(), row.marks(), row.threads()),
              same -> new LinkedHashMap<>())
          .put(row.batch(), row);
    }
    lines.values().forEach(line -> line(text, line, batches));
  }

  /** Prints a line. Spread, floor, limit and ratios are those of the largest batch. */
  private static void line(StringBuilder text, Map<Integer, Row> line, List<Integer> batches) {
    batches.forEach(batch -> {
      Row row = line.get(batch);
      if (row != null && batch.equals(batches.get(0))) {
        text.append(format(
            LINE, row.store(), row.operation().title(), format("%,d", row.marks()), row.threads()));
      }
      text.append(format(" %9s", row == null ? "" : number(row.hapax().rate().median())));
    });
    Row largest = line.get(batches.get(batches.size() - 1));
    if (largest != null) {
      text.append(format(
          " %4.0f%% %9s %9s %7s %8s",
          largest.hapax().rate().percent(),
          rate(largest.floor()),
          rate(largest.limit()),
          largest.timesFloor().map(it -> format("%.1f", it)).orElse(""),
          largest.ofLimit().map(it -> format("%.0f %%", 100 * it)).orElse("")));
    }
    text.append('\n');
  }

  private static String rate(Optional<Measurement> measured) {
    return measured.map(it -> number(it.rate().median())).orElse("");
  }

  private void aims(StringBuilder text) {
    List<Aim> aims = Aim.of(results.rows());
    if (!aims.isEmpty()) {
      text.append("\nAims, at batch ").append(Aim.BATCH).append(":\n");
    }
    for (Aim aim : aims) {
      text.append(format(
          "  %-7s %s: %.2f, aim %.2f%n",
          aim.reached() ? "reached" : "MISSED", aim.what(), aim.value(), aim.aim()));
    }
  }

  private static String number(double value) {
    return format("%,d", Math.round(value));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
