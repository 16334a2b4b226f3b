package io.hapax.operations.internal;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/** Formats the parts of reports for people. */
public final class ReportText {

  /** Control characters, and those that reorder or break the line they are printed in. */
  private static final Pattern HARMFUL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+");

  private ReportText() {}

  /** Replaces control characters by spaces: foreign text must not look like a line of a report. */
  public static String sanitize(String text) {
    return HARMFUL.matcher(text).replaceAll(" ");
  }

  /** Returns a line with a name, a count and a remark, which may be empty. */
  public static String line(String name, long count, String remark) {
    return String.format(Locale.ROOT, "%-20s %,12d  %s", name, count, remark).stripTrailing()
        + "\n";
  }

  /** Returns a duration in its largest unit. */
  public static String age(Duration age) {
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 60) {
      return seconds + " s";
    } else if (seconds < 3_600) {
      return seconds / 60 + " min";
    }
    return seconds < 172_800 ? seconds / 3_600 + " h" : seconds / 86_400 + " d";
  }
}
