package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts the figures of a measurements into rows. */
final class Rows {

  private Rows() {}

  /** Returns the rows of one measurements: each figure of the store with its floor and limit. */
  static List<Row> of(
      StoreKind store, long marks, int threads, Map<Contender, Measurement> measurements) {
    List<Row> rows = new ArrayList<>();
    measurements.forEach((contender, measured) -> {
      if (contender.role() == Role.HAPAX) {
        Operation operation = contender.operation();
        rows.add(new Row(
            store,
            operation,
            marks,
            threads,
            contender.batch(),
            measured,
            find(measurements, operation, Role.FLOOR, 1),
            find(measurements, operation, Role.LIMIT, contender.batch())));
        if (operation == Operation.FRESH) {
          rows.add(new Row(
              store,
              Operation.CLAIM,
              marks,
              threads,
              contender.batch(),
              measured.claimOnly(),
              Optional.empty(),
              Optional.empty()));
        }
      }
    });
    return rows;
  }

  private static Optional<Measurement> find(
      Map<Contender, Measurement> measurements, Operation operation, Role role, int batch) {
    return measurements.entrySet().stream()
        .filter(entry -> entry.getKey().operation() == operation
            && entry.getKey().role() == role
            && entry.getKey().batch() == batch)
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
