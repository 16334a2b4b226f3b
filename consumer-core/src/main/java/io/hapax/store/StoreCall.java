package io.hapax.store;

import java.time.Duration;
import java.util.Optional;

/**
 * One call of a store's verb, after it.
 *
 * @param verb what the store was asked to do
 * @param marks how many marks the call was about; for {@code list} and {@code purge} how many it
 *     asked for at most; not negative
 * @param unavailable how many of them were answered {@code Unavailable}; not negative, at most
 *     {@code marks}
 * @param took from the call to its return, with the work that a transactional verb runs; not
 *     negative
 * @param trouble why the call ended in an exception; empty if it was answered
 */
public record StoreCall(
    StoreVerb verb, int marks, int unavailable, Duration took, Optional<StoreErrorKind> trouble) {

  /**
   * Checks the numbers.
   *
   * @param verb any
   * @param marks at least {@code unavailable}
   * @param unavailable not negative
   * @param took not negative
   * @param trouble any
   */
  public StoreCall {
    if (unavailable < 0 || unavailable > marks) {
      throw new IllegalArgumentException(
          "unavailable is " + unavailable + " but must be 0 to marks, which is " + marks);
    }
    if (took.isNegative()) {
      throw new IllegalArgumentException("took is " + took + " but must not be negative");
    }
  }
}
