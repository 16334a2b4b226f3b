package io.hapax.cli;

import java.util.regex.Pattern;

/**
 * Removes control characters from foreign text, so that it cannot imitate the lines of a report.
 */
final class Lines {

  /** Control characters, and characters that reorder or break a line. */
  private static final Pattern HARMFUL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

  private Lines() {}

  static String sanitize(String text) {
    return HARMFUL.matcher(text).replaceAll(" ");
  }
}
