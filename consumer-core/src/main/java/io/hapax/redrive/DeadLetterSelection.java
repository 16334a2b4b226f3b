package io.hapax.redrive;

import io.hapax.mark.Bytes;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which dead letters an operator means.
 *
 * @param ids the message ids, as texts; one that is no text as {@code 0x} and its bytes; empty for
 *     all letters
 */
public record DeadLetterSelection(Set<String> ids) {

  private static final Pattern HEXADECIMAL = Pattern.compile("0x([0-9a-f]{2})+");

  /**
   * Copies the set.
   *
   * @param ids none of them blank
   * @throws IllegalArgumentException if one is blank
   */
  public DeadLetterSelection {
    for (String id : ids) {
      if (id.isBlank()) {
        throw new IllegalArgumentException("message id is blank but must name a message");
      }
    }
    ids = Collections.unmodifiableSet(new LinkedHashSet<>(ids));
  }

  /**
   * Every letter.
   *
   * @return all of them
   */
  public static DeadLetterSelection all() {
    return new DeadLetterSelection(Set.of());
  }

  /**
   * The letters of some messages.
   *
   * @param ids at least one
   * @return these
   * @throws IllegalArgumentException if there is none, or a blank one
   */
  public static DeadLetterSelection of(Collection<String> ids) {
    if (ids.isEmpty()) {
      throw new IllegalArgumentException("ids is empty but must name at least one message");
    }
    return new DeadLetterSelection(new LinkedHashSet<>(ids));
  }

  /** Which of the names means that letter; empty if none does, an empty text if all are meant. */
  Optional<String> nameOf(StoredDeadLetter letter) {
    return ids.isEmpty()
        ? Optional.of("")
        : ids.stream().filter(name -> means(name, letter)).findFirst();
  }

  private static boolean means(String name, StoredDeadLetter letter) {
    if (letter.id().isEmpty()) {
      return name.equals(letter.note().messageId());
    }
    Bytes id = letter.id().get();
    return id.equals(Bytes.utf8(name)) || bytesOf(name).filter(id::equals).isPresent();
  }

  static Optional<Bytes> bytesOf(String name) {
    return HEXADECIMAL.matcher(name).matches()
        ? Optional.of(Bytes.of(HexFormat.of().parseHex(name.substring(2))))
        : Optional.empty();
  }
}
