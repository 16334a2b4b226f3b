package io.hapax.redrive;

import java.time.Duration;
import java.util.Optional;

/**
 * One dead-letter record to look at.
 *
 * @param id its message's id for people; empty if it has none
 * @param coordinates where the record lies
 * @param age how long ago it was written, by the store's clock; empty if that is not known
 * @param note what it says of its message's end
 * @param answer what became of it
 */
public record RedriveSample(
    String id, String coordinates, Optional<Duration> age, DeadLetterMetadata note, RedriveResult answer) {}
