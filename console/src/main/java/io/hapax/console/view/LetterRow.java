package io.hapax.console.view;

import io.hapax.operations.text.Text;
import java.time.Duration;
import java.util.Optional;

/**
 * A dead-letter record.
 *
 * @param id the id of its message; may be empty
 * @param coordinates the position of the record in the dead-letter topic
 * @param from the position of the message in its source topic
 * @param failedAt the method of the application that failed; may be empty
 * @param answer the result that a redrive would have: Published, NotDead or Refused
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
    Text why) {}
