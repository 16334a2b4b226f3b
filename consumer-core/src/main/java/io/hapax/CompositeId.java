package io.hapax;

import io.hapax.mark.Bytes;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes one id of several parts, such as source and sequence, or tenant and order.
 * {@link IdExtractor#composed} does the same for parts that extractors find.
 */
public final class CompositeId {

  private static final byte[] PERCENT = {'%', '2', '5'};
  private static final byte[] SLASH = {'%', '2', 'F'};

  private CompositeId() {}

  /**
   * {@return the parts joined to an id that people can read, so that different lists of parts give
   * different ids} {@code /} separates the parts, and a {@code /} or {@code %} within a part is
   * written as {@code %2F} or {@code %25}.
   *
   * @param first the first part
   * @param others the other parts, in their order
   * @throws IllegalArgumentException if a part is not valid Unicode, or holds U+FFFD (see
   *     {@link Bytes#isDamagedText()})
   */
  public static Bytes of(String first, String... others) {
    return of(Stream.concat(Stream.of(first), Arrays.stream(others))
        .map(CompositeId::part)
        .toList());
  }

  private static Bytes part(String text) {
    Bytes part = Bytes.utf8(text);
    if (part.isDamagedText()) {
      throw new IllegalArgumentException("'" + part + "' holds U+FFFD and identifies nothing");
    }
    return part;
  }

  /** Joins parts that need not be text. In UTF-8 no other character has the bytes of these two. */
  static Bytes of(List<Bytes> parts) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        whole.write('/');
      }
      for (byte one : parts.get(i).toByteArray()) {
        switch (one) {
          case '%' -> whole.writeBytes(PERCENT);
          case '/' -> whole.writeBytes(SLASH);
          default -> whole.write(one);
        }
      }
    }
    return Bytes.of(whole.toByteArray());
  }
}
