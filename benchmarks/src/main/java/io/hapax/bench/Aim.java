package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A target for a figure, with the measured value.
 *
 * @param what the figure and its situation
 * @param aim the least value that it should have
 * @param value the measured value
 */
record Aim(String what, double aim, double value) {

  /** The batch size of the targets. */
  static final int BATCH = 500;

  boolean reached() {
    return value >= aim;
  }

  /** Returns the targets that these rows can be compared with. */
  static List<Aim> of(List<Row> rows) {
    List<Aim> aims = new ArrayList<>();
    for (Row row : rows) {
      if (row.batch() == BATCH) {
        aims.addAll(of(row, rows));
      }
    }
    return aims;
  }

  private static List<Aim> of(Row row, List<Row> rows) {
    String where = where(row);
    if (row.operation() == Operation.KNOWN) {
      return claimOfFresh(row, rows)
          .map(fresh -> new Aim(where + ", times a fresh one", 1, row.hapax().times(fresh.hapax())))
          .stream()
          .toList();
    }
    double ofLimit = row.store().ofLimit(row.operation());
    double timesFloor = row.store().timesFloor(row.operation(), row.threads());
    return Stream.of(
            row.ofLimit()
                .filter(it -> ofLimit > 0)
                .map(it -> new Aim(where + ", part of the limit", ofLimit, it)),
            row.timesFloor()
                .filter(it -> timesFloor > 0)
                .map(it -> new Aim(where + ", times the floor", timesFloor, it)))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<Row> claimOfFresh(Row known, List<Row> rows) {
    return rows.stream()
        .filter(row -> row.operation() == Operation.CLAIM && row.sameSituation(known))
        .findFirst();
  }

  /** Returns a line of the report. */
  String text() {
    return Benchmark.format(
        "  %-7s %s: %,.2f, aim %,.2f%n", Benchmark.reached(reached()), what, value, aim);
  }

  private static String where(Row row) {
    return Benchmark.format(
        "%s, %s, %,d marks, %d thread%s",
        row.store(),
        row.operation().title().strip(),
        row.marks(),
        row.threads(),
        row.threads() == 1 ? "" : "s");
  }
}
