package io.hapax.operations.lookup;

import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.operations.redrive.MessageNames;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of a message.
 *
 * @param id the id
 * @param scope the scope of the consumer's marks
 * @param verdict what happened
 * @param at the time that the verdict is about; empty if unknown
 * @param where the place that the verdict is about; may be empty
 * @param who the consumer or the user that the verdict is about; may be empty
 * @param mark its mark in the present generation
 * @param letters its dead-letter records
 * @param lag how many messages the group has not acknowledged; empty if that does not matter, or is
 *     unknown
 * @param events its history, oldest first
 * @param recommended the repairs to choose from; empty if nothing has to be done, or nothing can be
 * @param others the other repairs that are possible
 */
public record MessageAnswer(
    Bytes id,
    String scope,
    MessageVerdict verdict,
    Optional<Instant> at,
    String where,
    String who,
    Optional<Mark> mark,
    MessageSources.DeadLetters letters,
    OptionalLong lag,
    List<MessageEvent> events,
    List<Repair> recommended,
    List<Repair> others) {

  /** {@return the id in the format of {@code --message}} */
  public String name() {
    return MessageNames.of(id);
  }

  /** {@return whether anything is known of the message} */
  boolean isKnown() {
    return !events.isEmpty();
  }
}
