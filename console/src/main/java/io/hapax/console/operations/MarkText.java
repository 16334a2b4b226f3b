package io.hapax.console.operations;

import io.hapax.mark.Mark;
import java.time.Duration;
import java.time.Instant;

/** Describes a mark in one line. */
public final class MarkText {

  private MarkText() {}

  /**
   * Describes a mark that an owner holds.
   *
   * @param mark the mark
   * @return one line
   */
  public static String held(Mark mark) {
    return line(mark, ", held by " + mark.claim().origin().owner() + " until " + mark.until());
  }

  /**
   * Describes a mark that waits for its message or for an operator.
   *
   * @param mark the mark
   * @param now the store's time
   * @return one line
   */
  public static String of(Mark mark, Instant now) {
    String since = ", claimed " + ago(mark.claimedAt(), now) + " by "
        + mark.claim().origin().owner() + ", attempt " + mark.claim().attempt().number()
        + (mark.claim().attempt().inDoubt() ? ", in doubt" : "");
    return line(mark, since + ending(mark, now));
  }

  private static String ending(Mark mark, Instant now) {
    return switch (mark.state()) {
      case PROCESSING ->
        mark.leasedAt(now)
            ? ", held until " + mark.until()
            : ", its lease ended " + ago(mark.until(), now);
      case RETRY ->
        now.isBefore(mark.until()) ? ", to be retried from " + mark.until() : ", to be retried";
      case DEAD -> ", dead " + ago(mark.until(), now) + ": " + mark.detail();
      case DONE -> ", done " + ago(mark.until(), now);
      case ABSENT -> "";
    };
  }

  /** Returns the age of a time. Both times are from the store's clock. */
  private static String ago(Instant then, Instant now) {
    Duration age = Duration.between(then, now);
    long seconds = Math.max(0, age.toSeconds());
    if (seconds < 60) {
      return seconds + " s ago";
    } else if (seconds < 3_600) {
      return seconds / 60 + " min ago";
    }
    return seconds < 172_800 ? seconds / 3_600 + " h ago" : seconds / 86_400 + " d ago";
  }

  /** Returns a line. The mark's text is foreign and must not imitate the lines of a report. */
  private static String line(Mark mark, String more) {
    String coordinates = mark.claim().origin().coordinates();
    String text =
        "  " + mark.key().id() + (coordinates.isEmpty() ? "" : " at " + coordinates) + more;
    return Lines.sanitize(text) + "\n";
  }
}
