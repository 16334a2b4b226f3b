package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts what was measured side by side into rows. */
final class Rows {

  private Rows() {}

  /** The rows of one race: each figure of the store with the floor and the limit beside it. */
  static List<Row> of(StoreKind store, long marks, int threads, Map<Contender, Measured> race) {
    List<Row> rows = new ArrayList<>();
    race.forEach((contender, measured) -> {
      if (contender.role() == Role.HAPAX) {
        Operation operation = contender.operation();
        rows.add(new Row(
            store,
            operation,
            marks,
            threads,
            contender.batch(),
            measured,
            find(race, operation, Role.FLOOR, 1),
            find(race, operation, Role.LIMIT, contender.batch())));
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

  private static Optional<Measured> find(
      Map<Contender, Measured> race, Operation operation, Role role, int batch) {
    return race.entrySet().stream()
        .filter(entry -> entry.getKey().operation() == operation
            && entry.getKey().role() == role
            && entry.getKey().batch() == batch)
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
