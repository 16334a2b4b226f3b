package io.hapax.operations.redrive;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import java.time.Duration;
import java.util.Optional;

/**
 * One dead-letter record of a report.
 *
 * @param id its message's id for people; empty if it has none
 * @param coordinates where the record lies
 * @param age how long ago it was written, by the store's clock; empty if that is not known
 * @param metadata why its message was dead-lettered
 * @param answer the result
 */
public record RedriveSample(
    String id,
    String coordinates,
    Optional<Duration> age,
    DeadLetterMetadata metadata,
    RedriveResult answer) {}
