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

  private static final int PRINTED = 80;

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
    if (mayHoldUnpairedSurrogate(text)) {
      return strictUtf8(text);
    }
    byte[] content = text.getBytes(StandardCharsets.UTF_8); // replaces nothing but those
    return content.length == 0 ? EMPTY : new Bytes(content);
  }

  private static boolean mayHoldUnpairedSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  private static Bytes strictUtf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] content = new byte[encoded.remaining()];
      encoded.get(content);
      return new Bytes(content);
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
   * Whether there is nothing but white space of ASCII.
   *
   * @return whether each byte is a space or one of the control characters from tab to carriage
   *     return; true for no bytes at all
   */
  public boolean isBlank() {
    for (byte one : content) {
      if (one != ' ' && (one < '\t' || one > '\r')) {
        return false;
      }
    }
    return true;
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
    if (content.length <= PRINTED && isPlainAscii()) { // as nearly all are
      return new String(content, StandardCharsets.US_ASCII);
    }
    Bytes head = prefix(PRINTED);
    String suffix = head.length() == content.length ? "" : "...(" + content.length + " bytes)";
    try {
      String text = StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(head.content))
          .toString();
      if (text.codePoints().allMatch(Bytes::isHarmless)) {
        return text + suffix;
      }
    } catch (CharacterCodingException notText) {
      // Printed below as what it is.
    }
    return "0x" + HexFormat.of().formatHex(head.content) + suffix;
  }

  private boolean isPlainAscii() {
    for (byte one : content) {
      if (one < ' ' || one > '~') {
        return false;
      }
    }
    return true;
  }

  /** Neither a control character nor one that reorders or breaks the line it is printed in. */
  private static boolean isHarmless(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR -> false;
      default -> true;
    };
  }

  /** At most so many bytes from the start, without cutting a UTF-8 character in two. */
  Bytes prefix(int limit) {
    if (content.length <= limit) {
      return this;
    }
    int end = limit;
    while (end > limit - 4 && end > 0 && (content[end] & 0xC0) == 0x80) {
      end--;
    }
    return of(Arrays.copyOf(content, end));
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
