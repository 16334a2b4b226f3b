package io.hapax.bench;

import java.util.Optional;

/**
 * What was measured of a store in one situation.
 *
 * @param store the store
 * @param operation what it did
 * @param marks how many marks it had before
 * @param threads how many threads did it
 * @param batch messages at once
 * @param hapax the store's own figures
 * @param floor the floor, beside it; empty if there is none
 * @param limit the limit, beside it; empty if there is none
 */
record Row(
    StoreKind store,
    Operation operation,
    long marks,
    int threads,
    int batch,
    Measured hapax,
    Optional<Measured> floor,
    Optional<Measured> limit) {

  /** Whether the other is of the same store with as many marks, threads and messages at once. */
  boolean sameSituation(Row other) {
    return store == other.store
        && marks == other.marks
        && threads == other.threads
        && batch == other.batch;
  }

  /** How many times the floor it does. */
  Optional<Double> timesFloor() {
    return floor.map(it -> hapax.rate().median() / it.rate().median());
  }

  /** Which part of the limit it reaches. */
  Optional<Double> ofLimit() {
    return limit.map(it -> hapax.rate().median() / it.rate().median());
  }
}
