package io.hapax.console.operations;

import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.operations.internal.ReportText;
import java.time.Duration;
import java.time.Instant;

/** Describes marks, each in one line, and decisions on them. */
public final class MarkText {

  private MarkText() {}

  /** {@return the line of a mark that an owner holds} */
  public static String held(Mark mark) {
    return line(mark, ", held by " + mark.claim().origin().owner() + " until " + mark.until());
  }

  /** {@return the line of a mark that waits for its message or an operator at the store's time} */
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
    return ReportText.age(Duration.between(then, now)) + " ago";
  }

  /** Returns a line. The mark's text is foreign and must not imitate the lines of a report. */
  private static String line(Mark mark, String more) {
    String coordinates = mark.claim().origin().coordinates();
    String text =
        "  " + mark.key().id() + (coordinates.isEmpty() ? "" : " at " + coordinates) + more;
    return ReportText.sanitize(text) + "\n";
  }

  /** {@return the effect of a decision, as the words after "was" or "would be"} */
  public static String effect(Resolution.Kind decision) {
    return switch (decision) {
      case REOPEN -> "reopened: the message runs when it is delivered";
      case FORCE_DONE -> "marked as done: the message does not run";
      case REOPEN_ANY_PAYLOAD -> "reopened for any payload: the first message with its id runs";
      case FORGET -> "forgotten: the result is erased, and the message stays done";
      case DONE_ANY_PAYLOAD -> "kept as done for any payload: no message with its id runs";
    };
  }
}
