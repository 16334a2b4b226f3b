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
   * {@return what was omitted when a record was written, by the list and the number in it}
   *
   * @param property returns the text of a header or property, by its name
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
   * {@return what is still missing, without the names that the record holds again}
   *
   * @param isThere whether the record has a header or property of that name
   */
  public OmittedHeaders without(Predicate<String> isThere) {
    return new OmittedHeaders(names.stream().filter(isThere.negate()).toList(), unnamed);
  }

  /**
   * {@return everything that is missing, with the names of more omitted headers or properties}
   *
   * @param more the names
   */
  public OmittedHeaders with(Collection<String> more) {
    return new OmittedHeaders(
        Stream.concat(names.stream(), more.stream()).distinct().toList(), unnamed);
  }

  /** {@return whether nothing is missing: the record holds every header or property} */
  public boolean isEmpty() {
    return names.isEmpty() && unnamed == 0;
  }

  /**
   * {@return the list and the number to write into a record, by {@link #NAMES} and not empty; none
   * if nothing is missing}
   *
   * @param longest the maximum length of the list, in bytes
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

  /** {@return the names, and an ellipsis if there are more, for logs and reports} */
  public String toText() {
    return names + (unnamed == 0 ? "" : ", …");
  }
}
