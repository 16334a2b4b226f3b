package io.hapax.console.page;

import io.hapax.operations.text.Text;
import java.text.NumberFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalLong;

/** Formats values for a page. The templates escape the results for HTML. */
public final class Formats {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int SHORT = 80;
  private static final int ZERO_WIDTH_JOINER = 0x200D;

  private Formats() {}

  /** Formats a number with groups of three digits, which both languages use. */
  public static String number(long number) {
    return NumberFormat.getIntegerInstance(Locale.ROOT).format(number);
  }

  /** Formats a value of a curve. NaN is unknown. */
  public static String number(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    NumberFormat format = NumberFormat.getNumberInstance(Locale.ROOT);
    format.setMaximumFractionDigits(1);
    return format.format(value);
  }

  /** Formats a number that may be unknown: then it is a dash. */
  public static String number(OptionalLong number) {
    return number.isPresent() ? number(number.getAsLong()) : "–";
  }

  /** Formats a part of a whole, 0 to 1, as percent with one digit. */
  public static String percent(double part) {
    NumberFormat format = NumberFormat.getPercentInstance(Locale.ROOT);
    format.setMaximumFractionDigits(part > 0 && part < 0.001 ? 3 : 1);
    return format.format(part);
  }

  /** Formats date and time in UTC. */
  public static String time(Instant at) {
    return TIME.format(at);
  }

  /** Formats the time of day in UTC. */
  public static String clock(Instant at) {
    return CLOCK.format(at);
  }

  /** Formats a duration in its largest unit. */
  public static String duration(Texts texts, Duration duration) {
    return texts.get(Text.age(duration));
  }

  /** Translates a name from the store, the broker or the console, if it has a translation. */
  public static String named(Texts texts, String family, String name) {
    String key = family + "." + name;
    String text = texts.get(key);
    return text.equals(key) ? visible(name) : text;
  }

  /** Escapes characters that have no glyph, and characters that change the direction of text. */
  public static String visible(String text) {
    return escaped(text, false);
  }

  /** Escapes characters like {@link #visible}, but keeps line ends and tabs. */
  public static String visibleLines(String text) {
    return escaped(text, true);
  }

  /** Shortens a foreign text for a table, escaped like {@link #visible}. */
  public static String brief(String text) {
    if (text.codePointCount(0, text.length()) <= SHORT) {
      return visible(text);
    }
    return visible(text.substring(0, text.offsetByCodePoints(0, SHORT))) + "…";
  }

  /** Formats a text of the operations, which may have lines. */
  public static String lines(Texts texts, Text text) {
    return visibleLines(texts.get(text));
  }

  /** Returns the first line of a foreign text, shortened for a table. */
  public static String firstLine(String text) {
    return brief(text.lines().findFirst().orElse(""));
  }

  private static String escaped(String text, boolean lines) {
    StringBuilder result = new StringBuilder(text.length());
    text.codePoints().forEach(it -> {
      if (isVisible(it) || (lines && (it == '\n' || it == '\t'))) {
        result.appendCodePoint(it);
      } else {
        result.append(String.format(Locale.ROOT, "\\u%04X", it));
      }
    });
    return result.toString();
  }

  private static boolean isVisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR -> false;
      case Character.FORMAT -> character == ZERO_WIDTH_JOINER; // emoji are joined with it
      default -> true;
    };
  }
}
