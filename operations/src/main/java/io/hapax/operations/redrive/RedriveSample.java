package io.hapax.operations.redrive;

import java.time.Duration;
import java.util.Optional;

/**
 * One dead-letter record of a report.
 *
 * @param record the record
 * @param age how long ago it was written, by the store's clock; empty if that is not known
 * @param answer the result
 */
public record RedriveSample(
    StoredDeadLetter record, Optional<Duration> age, RedriveResult answer) {}
