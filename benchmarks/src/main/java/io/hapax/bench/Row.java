package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a store in one situation.
 *
 * @param store the store
 * @param operation the operation
 * @param marks marks in the store before the measurement
 * @param threads the number of threads
 * @param batch messages of one call
 * @param hapax the store's figures
 * @param floor the floor; null if there is none
 * @param limit the limit; null if there is none
 */
record Row(
    StoreKind store,
    Operation operation,
    long marks,
    int threads,
    int batch,
    Measurement hapax,
    @Nullable Measurement floor,
    @Nullable Measurement limit) {

  /** Returns the rows of a measurement: each figure of the store with its floor and limit. */
  static List<Row> of(
      StoreKind store, long marks, int threads, Map<Contender, Measurement> measurements) {
    List<Row> rows = new ArrayList<>();
    measurements.forEach((contender, measured) -> {
      if (contender.role() == Role.HAPAX) {
        Operation operation = contender.operation();
        int batch = contender.batch();
        rows.add(new Row(
            store,
            operation,
            marks,
            threads,
            batch,
            measured,
            find(measurements, operation, Role.FLOOR, 1),
            find(measurements, operation, Role.LIMIT, batch)));
        if (operation == Operation.FRESH) {
          rows.add(new Row(
              store, Operation.CLAIM, marks, threads, batch, measured.claimOnly(), null, null));
        }
      }
    });
    return rows;
  }

  private static @Nullable Measurement find(
      Map<Contender, Measurement> measurements, Operation operation, Role role, int batch) {
    return measurements.entrySet().stream()
        .filter(entry -> entry.getKey().operation() == operation
            && entry.getKey().role() == role
            && entry.getKey().batch() == batch)
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  /** Returns whether both rows are of the same store, marks, threads and batch. */
  boolean sameSituation(Row other) {
    return store == other.store
        && marks == other.marks
        && threads == other.threads
        && batch == other.batch;
  }

  /** Returns the rate as a multiple of the floor. */
  Optional<Double> timesFloor() {
    return Optional.ofNullable(floor).map(hapax::times);
  }

  /** Returns the rate as a part of the limit. */
  Optional<Double> ofLimit() {
    return Optional.ofNullable(limit).map(hapax::times);
  }
}
