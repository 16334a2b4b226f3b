package io.hapax.redrive;

import io.hapax.IdExtractor;
import io.hapax.mark.Bytes;
import io.hapax.mark.MessageKey;
import java.time.Instant;
import java.util.Optional;

/**
 * A dead-letter record that an adapter has read.
 *
 * @param coordinates where the record lies
 * @param diedAt when it was written, by its broker or its producer; empty if that is not known
 * @param note what it says of its message's end
 * @param id its message's id, found as the consumer's receiver finds it
 * @param flaw why its message cannot be published as it was; empty if it can
 */
public record StoredDeadLetter(
    String coordinates,
    Optional<Instant> diedAt,
    DeadLetterMetadata note,
    Optional<Bytes> id,
    Optional<String> flaw) {

  /**
   * As the adapter has read it.
   *
   * @param coordinates where the record lies
   * @param diedAt when it was written, in milliseconds since 1970; negative if that is not known
   * @param note what it says of its message's end
   * @param message its message, as it was
   * @param ids how the consumer's receiver finds a message's id; one that throws finds none
   * @param flaw why its message cannot be published as it was; empty if it can
   * @param <M> the broker's message
   * @return the letter, without an id if the message has none or one that is not usable
   */
  public static <M> StoredDeadLetter of(
      String coordinates,
      long diedAt,
      DeadLetterMetadata note,
      M message,
      IdExtractor<M> ids,
      Optional<String> flaw) {
    Optional<Instant> known =
        diedAt < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(diedAt));
    return new StoredDeadLetter(coordinates, known, note, usableId(message, ids), flaw);
  }

  static <M> Optional<Bytes> usableId(M message, IdExtractor<M> ids) {
    try {
      return ids.idOf(message)
          .filter(id -> !id.isBlank() && id.length() <= MessageKey.MAX_ID_BYTES);
    } catch (RuntimeException | StackOverflowError e) {
      return Optional.empty(); // as the receiver does: such a message has no id
    }
  }

  /**
   * With a flaw that was found later.
   *
   * @param why why its message cannot be published as it was
   * @return a copy
   */
  public StoredDeadLetter withFlaw(String why) {
    return new StoredDeadLetter(coordinates, diedAt, note, id, Optional.of(why));
  }

  /**
   * Its message's id for people.
   *
   * @return the id; without one, that which the letter names, possibly empty
   */
  public String name() {
    return id.map(Bytes::toString).orElse(note.messageId());
  }
}
