package io.hapax;

import io.hapax.mark.Bytes;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Makes one id of several parts, such as source and sequence, or tenant and order. */
public final class CompositeId {

  private CompositeId() {}

  /**
   * Joins parts so that different lists of parts give different ids: {@code /} stands between them,
   * and a {@code /} or {@code %} within a part is written as {@code %2F} or {@code %25}.
   *
   * @param first the first part
   * @param others the other parts, in their order
   * @return the id, readable by people
   * @throws IllegalArgumentException if a part is not valid Unicode
   */
  public static Bytes of(String first, String... others) {
    return Bytes.utf8(Arrays.stream(others)
        .map(part -> "/" + escaped(part))
        .collect(Collectors.joining("", escaped(first), "")));
  }

  private static String escaped(String part) {
    return part.replace("%", "%25").replace("/", "%2F");
  }
}
