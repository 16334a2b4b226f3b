package io.hapax.mark;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable sequence of bytes with value equality: a message id, or a result kept with a mark.
 */
public final class Bytes {

  /** No bytes at all. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /**
   * A copy of the given array.
   *
   * @param content the bytes
   * @return bytes that later changes of the array do not touch
   */
  public static Bytes of(byte[] content) {
    return content.length == 0 ? EMPTY : new Bytes(content.clone());
  }

  /**
   * The strict UTF-8 form of a text. A text that has no UTF-8 form (an unpaired surrogate) is
   * refused instead of being replaced by a question mark, because replacing would make two
   * different ids equal.
   *
   * @param text the text
   * @return its UTF-8 bytes
   * @throws IllegalArgumentException if the text holds an unpaired surrogate
   */
  public static Bytes utf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] content = new byte[encoded.remaining()];
      encoded.get(content);
      return content.length == 0 ? EMPTY : new Bytes(content);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "text is not valid Unicode: it holds an unpaired surrogate", e);
    }
  }

  /**
   * How many bytes there are.
   *
   * @return the length, in bytes
   */
  public int length() {
    return content.length;
  }

  /**
   * The content.
   *
   * @return a copy of the bytes
   */
  public byte[] toByteArray() {
    return content.clone();
  }

  byte[] unsafeArray() {
    return content;
  }

  /**
   * The content for a person: its text where it is printable UTF-8, otherwise hexadecimal; cut off
   * after some eighty characters, so that a hostile id cannot flood a log.
   *
   * @return a short printable form
   */
  @Override
  public String toString() {
    byte[] head = content.length > 80 ? Arrays.copyOf(content, 80) : content;
    String suffix = content.length > 80 ? "...(" + content.length + " bytes)" : "";
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(head)).toString();
      if (text.chars().noneMatch(Character::isISOControl)) {
        return text + suffix;
      }
    } catch (CharacterCodingException e) {
      return "0x" + HexFormat.of().formatHex(head) + suffix;
    }
    return "0x" + HexFormat.of().formatHex(head) + suffix;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }
}
