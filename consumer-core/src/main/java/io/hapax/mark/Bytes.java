package io.hapax.mark;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable sequence of bytes with value equality: a message id, or a mark's result. */
public final class Bytes {

  /** No bytes at all. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private static final int PRINTED = 80;

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /**
   * {@return a copy of an array; later changes of the array do not affect it}
   *
   * @param content the bytes
   */
  public static Bytes of(byte[] content) {
    return content.length == 0 ? EMPTY : new Bytes(content.clone());
  }

  /**
   * {@return the bytes of a text in strict UTF-8} A text with an unpaired surrogate has no UTF-8
   * form and is refused. A replacement character would make two different ids equal.
   *
   * @param text the text
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

  /** {@return the number of bytes} */
  public int length() {
    return content.length;
  }

  /**
   * {@return whether all bytes are ASCII white space: each is a space or a control character from
   * tab to carriage return; true for an empty sequence}
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
   * {@return whether all bytes are valid UTF-8 and one of the characters is U+FFFD} A decoder
   * writes that character in place of bytes that are not valid UTF-8, so different ids become
   * equal.
   */
  public boolean isDamagedText() {
    for (int i = 0; i + 2 < content.length; i++) {
      if (content[i] == (byte) 0xEF
          && content[i + 1] == (byte) 0xBF
          && content[i + 2] == (byte) 0xBD) {
        return isText();
      }
    }
    return false;
  }

  private boolean isText() {
    try {
      var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content));
      return true;
    } catch (CharacterCodingException binary) {
      return false;
    }
  }

  /** {@return a copy of the content} */
  public byte[] toByteArray() {
    return content.clone();
  }

  byte[] unsafeArray() {
    return content;
  }

  /**
   * {@return the content in a short form for people: as text if it is printable UTF-8, otherwise in
   * hexadecimal} It is cut off after about eighty characters, so that no hostile id floods a log.
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
      // It is printed in hexadecimal below.
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

  /** Returns false for control characters, and for those that reorder or break a printed line. */
  private static boolean isHarmless(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR -> false;
      default -> true;
    };
  }

  /** Returns at most {@code limit} bytes from the start, without splitting a UTF-8 character. */
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
