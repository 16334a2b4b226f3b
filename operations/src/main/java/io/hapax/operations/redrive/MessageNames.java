package io.hapax.operations.redrive;

import io.hapax.mark.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Writes message ids as operators type them, and reads them. */
public final class MessageNames {

  private static final Pattern HEXADECIMAL = Pattern.compile("0x([0-9a-f]{2})+");

  private MessageNames() {}

  /**
   * {@return the id in the format of {@code --message}: not shortened, and {@code 0x} with
   * hexadecimal digits if it is not text that people and the forms of a browser repeat as it is} A
   * form changes line ends, blanks at the edges get lost when an id is copied, and a text may look
   * like such a name.
   *
   * @param id the id
   */
  public static String of(Bytes id) {
    String text = new String(id.toByteArray(), StandardCharsets.UTF_8);
    boolean kept = Bytes.utf8(text).equals(id)
        && text.equals(text.strip())
        && bytesOf(text).isEmpty()
        && text.chars().noneMatch(Character::isISOControl);
    return kept ? text : "0x" + HexFormat.of().formatHex(id.toByteArray());
  }

  /**
   * {@return the id of a dead-letter record's message in the same format; the name in the record if
   * its message has no usable id}
   *
   * @param record the record
   */
  public static String of(StoredDeadLetter record) {
    return record.id().map(MessageNames::of).orElse(record.metadata().messageId());
  }

  /**
   * {@return the bytes of a name that is {@code 0x} and hexadecimal digits; empty for another name}
   * Users may also type the text of such an id.
   *
   * @param name the name
   */
  public static Optional<Bytes> bytesOf(String name) {
    return HEXADECIMAL.matcher(name).matches()
        ? Optional.of(Bytes.of(HexFormat.of().parseHex(name.substring(2))))
        : Optional.empty();
  }
}
