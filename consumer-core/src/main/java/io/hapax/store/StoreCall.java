package io.hapax.store;

import java.time.Duration;
import java.util.Optional;

/**
 * A completed call of a store's verb.
 *
 * @param verb the verb
 * @param marks the number of marks in the call; for {@code list} and {@code purge} the maximum
 *     number; for {@code now} 0
 * @param unavailable how many of them were answered {@code Unavailable}; not negative, at most
 *     {@code marks}
 * @param took the time of the call with the work that a transactional verb runs; not negative
 * @param error the kind of the exception that ended the call; empty if it was answered
 */
public record StoreCall(
    StoreVerb verb, int marks, int unavailable, Duration took, Optional<StoreErrorKind> error) {}
