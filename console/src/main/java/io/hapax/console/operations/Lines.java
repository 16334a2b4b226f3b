package io.hapax.console.operations;

import java.util.regex.Pattern;

/**
 * Removes control characters from foreign text, so that it cannot imitate the lines of a report.
 */
public final class Lines {

  /** Control characters, and characters that reorder or break a line. */
  private static final Pattern HARMFUL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

  private Lines() {}

  /**
   * Replaces control characters by spaces.
   *
   * @param text foreign text
   * @return one line
   */
  public static String sanitize(String text) {
    return HARMFUL.matcher(text).replaceAll(" ");
  }
}
