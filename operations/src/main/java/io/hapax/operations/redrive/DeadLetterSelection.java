package io.hapax.operations.redrive;

import io.hapax.mark.Bytes;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Selects dead-letter records by the ids of their messages.
 *
 * @param ids the message ids as text; an id that is not text as {@code 0x} and its bytes in
 *     hexadecimal; empty for all records
 */
public record DeadLetterSelection(Set<String> ids) {

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

  /** {@return the selection of every record} */
  public static DeadLetterSelection all() {
    return new DeadLetterSelection(Set.of());
  }

  /**
   * {@return the selection of the records of some messages}
   *
   * @param ids at least one
   * @throws IllegalArgumentException if there is none, or a blank one
   */
  public static DeadLetterSelection of(Collection<String> ids) {
    if (ids.isEmpty()) {
      throw new IllegalArgumentException("ids is empty but must name at least one message");
    }
    return new DeadLetterSelection(new LinkedHashSet<>(ids));
  }

  /**
   * Returns a map from message id to requested id, so that the cost for each record does not depend
   * on the number of ids.
   */
  Index index() {
    Map<Bytes, String> names = new HashMap<>();
    for (String name : ids) {
      names.putIfAbsent(Bytes.utf8(name), name);
      MessageNames.bytesOf(name).ifPresent(bytes -> names.putIfAbsent(bytes, name));
    }
    return new Index(ids, names);
  }

  /** Finds the requested id that selects a record. */
  record Index(Set<String> ids, Map<Bytes, String> names) {

    /**
     * Returns the requested id: empty if none selects the record, an empty text if all records are
     * selected.
     */
    Optional<String> nameOf(StoredDeadLetter record) {
      if (ids.isEmpty()) {
        return Optional.of("");
      }
      String written = record.metadata().messageId();
      return record.id().isPresent()
          ? Optional.ofNullable(names.get(record.id().get()))
          : Optional.of(written).filter(ids::contains);
    }
  }
}
