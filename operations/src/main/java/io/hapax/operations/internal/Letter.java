package io.hapax.operations.internal;

import io.hapax.adapter.deadletter.DeadLetterMetadata;
import java.util.Optional;

/**
 * A dead-letter record, and the message that it brings back.
 *
 * @param metadata why the message was dead-lettered
 * @param diedAt when the record was written, in milliseconds since 1970; negative if unknown
 * @param message the message as its receiver saw it; the record itself if it does not name a topic
 * @param topic the topic that the message came from; empty if the record does not name it
 * @param missing what the record does not hold of the message; empty if it is whole
 */
public record Letter<M>(
    DeadLetterMetadata metadata,
    long diedAt,
    M message,
    Optional<String> topic,
    Optional<String> missing) {}
