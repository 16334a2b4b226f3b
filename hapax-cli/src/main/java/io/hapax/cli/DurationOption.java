package io.hapax.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** Reads durations of options: {@code 5s}, {@code 10m}, {@code 8d}, or the ISO form. */
final class DurationOption {

  private DurationOption() {}

  static Duration parse(String text) {
    String upper = text.strip().toUpperCase(Locale.ROOT);
    String iso = upper.startsWith("P") ? upper : (upper.endsWith("D") ? "P" : "PT") + upper;
    try {
      return Duration.parse(iso);
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration such as 5s, 10m, 8d or PT5S");
    }
  }
}
