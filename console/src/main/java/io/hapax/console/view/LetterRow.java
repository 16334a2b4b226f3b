package io.hapax.console.view;

import java.time.Duration;
import java.util.Optional;

/**
 * A dead-letter record.
 *
 * @param id the id of its message; may be empty
 * @param coordinates the position of the record in the dead-letter topic
 * @param from the position of the message in its source topic
 * @param kind the kind of the dead letter
 * @param detail the error
 * @param failedAt the method of the application that failed; may be empty
 * @param inDoubt whether the effect may have happened
 * @param age its age
 * @param answer the result that a redrive would have: Published, NotDead or Refused
 * @param why the reason of that result; may be empty
 */
public record LetterRow(
    String id,
    String coordinates,
    String from,
    String kind,
    String detail,
    String failedAt,
    boolean inDoubt,
    Optional<Duration> age,
    String answer,
    String why) {}
