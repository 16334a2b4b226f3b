package io.hapax.bench;

import java.util.Optional;

/**
 * The figures of a store in one situation.
 *
 * @param store the store
 * @param operation the operation
 * @param marks marks in the store before the measurement
 * @param threads the number of threads
 * @param batch messages of one call
 * @param hapax the store's figures
 * @param floor the floor; empty if there is none
 * @param limit the limit; empty if there is none
 */
record Row(
    StoreKind store,
    Operation operation,
    long marks,
    int threads,
    int batch,
    Measurement hapax,
    Optional<Measurement> floor,
    Optional<Measurement> limit) {

  /** Returns whether both rows are of the same store, marks, threads and batch. */
  boolean sameSituation(Row other) {
    return store == other.store
        && marks == other.marks
        && threads == other.threads
        && batch == other.batch;
  }

  /** Returns the rate as a multiple of the floor. */
  Optional<Double> timesFloor() {
    return floor.map(it -> hapax.rate().median() / it.rate().median());
  }

  /** Returns the rate as a part of the limit. */
  Optional<Double> ofLimit() {
    return limit.map(it -> hapax.rate().median() / it.rate().median());
  }
}
