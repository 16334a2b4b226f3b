package io.hapax.adapter.deadletter;

import io.hapax.adapter.DeadLetterHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The headers or properties of a message that its dead-letter record does not hold. The record
 * lists their names and states their number, because the list cannot hold every name. The record is
 * complete only if both the list and the number say so. An older version wrote no number; then only
 * the list counts.
 *
 * @param names the names in the list
 * @param unnamed how many more were omitted
 */
public record OmittedHeaders(List<String> names, long unnamed) {

  private static final long MOST = 999_999_999;

  /** The names of the headers or properties that hold the list and the number. */
  public static final List<String> NAMES =
      List.of(DeadLetterHeaders.LEFT_OUT, DeadLetterHeaders.LEFT_OUT_COUNT);

  /**
   * Copies the list.
   *
   * @param names the names in the list
   * @param unnamed not negative
   */
  public OmittedHeaders {
    names = List.copyOf(names);
  }

  /**
   * Reads the list and the number of a record.
   *
   * @param property returns the text of a header or property, by its name
   * @return what was omitted when the record was written
   */
  public static OmittedHeaders read(Function<String, Optional<String>> property) {
    List<String> list = property.apply(DeadLetterHeaders.LEFT_OUT).stream()
        .flatMap(text -> Arrays.stream(text.split(",", -1)))
        .toList();
    List<String> names = list.stream().filter(name -> !name.isEmpty()).toList();
    long number = property
        .apply(DeadLetterHeaders.LEFT_OUT_COUNT)
        .map(OmittedHeaders::number)
        .orElse((long) list.size());
    return new OmittedHeaders(names, Math.max(0, number - names.size()));
  }

  /** A text that is not a number means that something is missing. */
  private static long number(String text) {
    return text.matches("\\d{1,9}") ? Long.parseLong(text) : MOST;
  }

  /**
   * Removes the names that the record holds again.
   *
   * @param isThere whether the record has a header or property of that name
   * @return what is still missing
   */
  public OmittedHeaders without(Predicate<String> isThere) {
    return new OmittedHeaders(names.stream().filter(isThere.negate()).toList(), unnamed);
  }

  /**
   * Adds the names of headers or properties that are omitted.
   *
   * @param more the names
   * @return everything that is missing
   */
  public OmittedHeaders with(Collection<String> more) {
    return new OmittedHeaders(
        Stream.concat(names.stream(), more.stream()).distinct().toList(), unnamed);
  }

  /**
   * Returns whether nothing is missing.
   *
   * @return true if the record holds every header or property
   */
  public boolean isEmpty() {
    return names.isEmpty() && unnamed == 0;
  }

  /**
   * Returns the list and the number to write into a record.
   *
   * @param longest the maximum length of the list, in bytes
   * @return non-empty texts by {@link #NAMES}; none if nothing is missing
   */
  public Map<String, String> toProperties(int longest) {
    Map<String, String> properties = new LinkedHashMap<>();
    List<String> listed = new ArrayList<>();
    int room = longest;
    for (String name : names) {
      int bytes = name.getBytes(StandardCharsets.UTF_8).length + 1;
      if (canBeListed(name) && bytes <= room) {
        room -= bytes;
        listed.add(name);
      }
    }
    if (!listed.isEmpty()) {
      properties.put(DeadLetterHeaders.LEFT_OUT, String.join(",", listed));
    }
    if (!isEmpty()) {
      properties.put(
          DeadLetterHeaders.LEFT_OUT_COUNT, Long.toString(Math.min(MOST, names.size() + unnamed)));
    }
    return properties;
  }

  private static boolean canBeListed(String name) {
    return !name.isEmpty()
        && name.equals(name.strip())
        && name.chars().noneMatch(it -> it == ',' || Character.isISOControl(it));
  }

  /**
   * Returns a text for logs and reports.
   *
   * @return the names, and that there are more
   */
  public String toText() {
    return names + (unnamed == 0 ? "" : " and others");
  }
}
