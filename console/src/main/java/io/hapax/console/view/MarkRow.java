package io.hapax.console.view;

import java.time.Duration;
import java.time.Instant;

/**
 * A mark as a row of a table.
 *
 * @param id the whole id: text, or {@code 0x} and hexadecimal digits
 * @param state PROCESSING, RETRY, DONE or DEAD
 * @param coordinates the position of its message in the topic; may be empty
 * @param owner the consumer instance that claimed it last; may be empty
 * @param claimedAt the time of the latest claim, by the store's clock
 * @param until by the store's clock: PROCESSING: when the lease ends · RETRY: when it is due ·
 *     DONE, DEAD: when it was settled
 * @param detail DEAD: the reason · DONE: the result, if payloads are shown · otherwise empty
 */
public record MarkRow(
    String id,
    String state,
    String coordinates,
    String owner,
    int attempt,
    boolean inDoubt,
    boolean leased,
    long token,
    Instant claimedAt,
    Instant until,
    Duration age,
    String detail) {}
