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
 * Selects dead-letter records by the ids of their messages.
 *
 * @param ids the message ids as text; an id that is not text as {@code 0x} and its bytes in
 *     hexadecimal; empty for all records
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
   * Selects every record.
   *
   * @return the selection
   */
  public static DeadLetterSelection all() {
    return new DeadLetterSelection(Set.of());
  }

  /**
   * Selects the records of some messages.
   *
   * @param ids at least one
   * @return the selection
   * @throws IllegalArgumentException if there is none, or a blank one
   */
  public static DeadLetterSelection of(Collection<String> ids) {
    if (ids.isEmpty()) {
      throw new IllegalArgumentException("ids is empty but must name at least one message");
    }
    return new DeadLetterSelection(new LinkedHashSet<>(ids));
  }

  /**
   * Returns the id that selects the record: empty if none does, an empty text if all are selected.
   */
  Optional<String> nameOf(StoredDeadLetter record) {
    return ids.isEmpty()
        ? Optional.of("")
        : ids.stream().filter(name -> selects(name, record)).findFirst();
  }

  private static boolean selects(String name, StoredDeadLetter record) {
    if (record.id().isEmpty()) {
      return name.equals(record.metadata().messageId());
    }
    Bytes id = record.id().get();
    return id.equals(Bytes.utf8(name)) || bytesOf(name).filter(id::equals).isPresent();
  }

  static Optional<Bytes> bytesOf(String name) {
    return HEXADECIMAL.matcher(name).matches()
        ? Optional.of(Bytes.of(HexFormat.of().parseHex(name.substring(2))))
        : Optional.empty();
  }
}
