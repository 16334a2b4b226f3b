package io.hapax.operations.redrive;

import io.hapax.DeadLetter;
import io.hapax.IdExtractor;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.mark.Bytes;
import io.hapax.mark.MessageKey;
import io.hapax.operations.text.Text;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A dead-letter record that was read.
 *
 * @param coordinates where the record lies
 * @param diedAt when it was written, by its broker or its producer; empty if that is not known
 * @param metadata why its message was dead-lettered
 * @param id its message's id, found as the consumer's receiver finds it
 * @param flaw why its message cannot be published as it was; empty if it can
 */
public record StoredDeadLetter(
    String coordinates,
    Optional<Instant> diedAt,
    DeadLetterMetadata metadata,
    Optional<Bytes> id,
    Optional<Text> flaw) {

  /**
   * Makes one of what was read.
   *
   * @param diedAt when the record was written, in milliseconds since 1970; negative if unknown
   * @param ids how the consumer's receiver finds a message's id; one that throws finds none
   */
  static <M> StoredDeadLetter of(
      String coordinates,
      long diedAt,
      DeadLetterMetadata metadata,
      M message,
      IdExtractor<M> ids,
      Optional<Text> flaw) {
    Optional<Instant> known =
        diedAt < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(diedAt));
    return new StoredDeadLetter(coordinates, known, metadata, usableId(message, ids), flaw);
  }

  static <M> Optional<Bytes> usableId(M message, IdExtractor<M> ids) {
    try {
      return ids.idOf(message)
          .filter(id -> !id.isBlank() && id.length() <= MessageKey.MAX_ID_BYTES);
    } catch (RuntimeException | StackOverflowError e) {
      return Optional.empty(); // as the receiver does: such a message has no id
    }
  }

  StoredDeadLetter withFlaw(Text why) {
    return new StoredDeadLetter(coordinates, diedAt, metadata, id, Optional.of(why));
  }

  /**
   * {@return whether it may be a record of a message although the id that is found in it is another
   * one} True if it names the message: then ids are probably looked for in a wrong place. Also true
   * if it names none, unless the consumer found no id: such a message has no mark.
   *
   * @param message the message's id
   */
  public boolean mayBeOf(Bytes message) {
    String named = metadata.messageId().strip();
    return !id.equals(Optional.of(message))
        && (named.isEmpty()
            ? id.isEmpty() && !metadata.kind().equals(DeadLetter.Kind.MISSING_ID.name())
            : named.equals(message.toString().strip()));
  }

  /** {@return why its message was dead-lettered, for people; may be empty} */
  public Text death() {
    if (metadata.kind().isEmpty()) {
      return Text.plain(metadata.detail());
    }
    Text kind =
        Stream.of(DeadLetter.Kind.values()).anyMatch(it -> it.name().equals(metadata.kind()))
            ? Text.of("kind." + metadata.kind())
            : Text.plain(metadata.kind());
    Text why = metadata.detail().isEmpty() ? kind : Text.of("because", kind, metadata.detail());
    return metadata.inDoubt() ? Text.of("death.in-doubt", why) : why;
  }

  /** {@return its message's id for people; without one that in the metadata, which may be empty} */
  public String name() {
    return id.map(Bytes::toString).orElse(metadata.messageId());
  }
}
