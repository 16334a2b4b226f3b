package io.hapax.cli;

import java.util.regex.Pattern;

/** Keeps what others have written from looking like lines of ours. */
final class Lines {

  /** Control characters, and those that reorder or break the line they are printed in. */
  private static final Pattern HARMFUL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

  private Lines() {}

  static String oneOf(String text) {
    return HARMFUL.matcher(text).replaceAll(" ");
  }
}
