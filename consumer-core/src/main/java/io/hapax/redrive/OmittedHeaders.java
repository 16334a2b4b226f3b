package io.hapax.redrive;

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
 * The headers or properties of a message that its dead letter does not hold. A letter has them as a
 * list of names and as a number, because the list cannot hold every name. The letter is whole only
 * if nothing is missing by the list and by the number. An older version wrote no number; then only
 * the list counts.
 *
 * @param names those that are known by name
 * @param unnamed how many more there are
 */
public record OmittedHeaders(List<String> names, long unnamed) {

  private static final String LIST = "hapax-left-out";
  private static final String NUMBER = "hapax-left-out-count";
  private static final long MOST = 999_999_999;

  /** The names of the headers or properties that hold the list and the number. */
  public static final List<String> NAMES = List.of(LIST, NUMBER);

  /**
   * Copies the list.
   *
   * @param names those that are known by name
   * @param unnamed not negative
   */
  public OmittedHeaders {
    names = List.copyOf(names);
  }

  /**
   * Reads the list and the number of a letter.
   *
   * @param property answers the text under a name
   * @return what was left out when the letter was written
   */
  public static OmittedHeaders read(Function<String, Optional<String>> property) {
    List<String> list = property.apply(LIST).stream()
        .flatMap(text -> Arrays.stream(text.split(",", -1)))
        .toList();
    List<String> names = list.stream().filter(name -> !name.isEmpty()).toList();
    long number = property.apply(NUMBER).map(OmittedHeaders::number).orElse((long) list.size());
    return new OmittedHeaders(names, Math.max(0, number - names.size()));
  }

  /** A text that is not a number means that something is missing. */
  private static long number(String text) {
    return text.matches("\\d{1,9}") ? Long.parseLong(text) : MOST;
  }

  /**
   * Removes the names that the letter holds again.
   *
   * @param isThere whether the letter has a header or property of that name
   * @return what is missing still
   */
  public OmittedHeaders without(Predicate<String> isThere) {
    return new OmittedHeaders(names.stream().filter(isThere.negate()).toList(), unnamed);
  }

  /**
   * Adds names that are left out.
   *
   * @param more the names
   * @return all that is missing
   */
  public OmittedHeaders with(Collection<String> more) {
    return new OmittedHeaders(Stream.concat(names.stream(), more.stream()).distinct().toList(), unnamed);
  }

  /**
   * Returns whether nothing is missing.
   *
   * @return true if the letter holds all of them
   */
  public boolean isEmpty() {
    return names.isEmpty() && unnamed == 0;
  }

  /**
   * Returns the list and the number, to be written into a letter.
   *
   * @param longest how many bytes the list may have
   * @return texts by {@link #NAMES}, none of them empty; nothing if nothing is missing
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
      properties.put(LIST, String.join(",", listed));
    }
    if (!isEmpty()) {
      properties.put(NUMBER, Long.toString(Math.min(MOST, names.size() + unnamed)));
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
