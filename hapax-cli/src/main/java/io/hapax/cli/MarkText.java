package io.hapax.cli;

import io.hapax.mark.Mark;
import java.time.Duration;
import java.time.Instant;

/** A mark for a person, in one line. */
final class MarkText {

  private MarkText() {}

  /** One that somebody holds. */
  static String held(Mark mark) {
    return line(mark, ", held by " + mark.claim().origin().owner() + " until " + mark.until());
  }

  /** One that waits for its message, or for a person. */
  static String of(Mark mark, Instant now) {
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
      case ABSENT, DONE -> "";
    };
  }

  /** Times are the store's, of the same clock as now. */
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

  /** What a mark says was written by others: it must not pass for a line of ours. */
  private static String line(Mark mark, String more) {
    String coordinates = mark.claim().origin().coordinates();
    String text =
        "  " + mark.key().id() + (coordinates.isEmpty() ? "" : " at " + coordinates) + more;
    return Lines.oneOf(text) + "\n";
  }
}
