package io.hapax.console.data;

import io.hapax.mark.Bytes;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of a page in a list of marks: the last mark of the previous block, and the number of
 * marks of the current block that were shown. A store finds a mark by its key and the time of its
 * claim.
 */
record Cursor(Optional<Mark> last, int shown) {

  static final Cursor START = new Cursor(Optional.empty(), 0);

  private static final Pattern FORMAT =
      Pattern.compile("(?:(-?\\d{1,18})_([\\w-]{1,22000}))?\\.(\\d{1,4})");

  static Cursor parse(String text, String scope) {
    Matcher matcher = FORMAT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "after is " + text + " but must be the value of a link of this list");
    }
    int shown = Integer.parseInt(matcher.group(3));
    if (matcher.group(1) == null) {
      return new Cursor(Optional.empty(), shown);
    }
    MessageKey key =
        MessageKey.of(scope, Bytes.of(Base64.getUrlDecoder().decode(matcher.group(2))));
    Mark last = new Mark(
        Mark.absent(key).claim(),
        MarkState.ABSENT,
        EpochMicros.toInstant(Long.parseLong(matcher.group(1))),
        EpochMicros.toInstant(0),
        Bytes.EMPTY);
    return new Cursor(Optional.of(last), shown);
  }

  String text() {
    String place = last.map(mark -> EpochMicros.of(mark.claimedAt()) + "_"
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(mark.key().id().toByteArray()))
        .orElse("");
    return place + "." + shown;
  }
}
