package io.hapax.console.operations;

import io.hapax.mark.Mark;
import io.hapax.mark.Resolution;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.Instant;

/** Describes marks, each in one line, and decisions on them. */
public final class MarkText {

  private MarkText() {}

  /** {@return a mark that an owner holds, in one line} */
  public static Text held(Mark mark) {
    return Text.of("mark.is-held", place(mark), mark.claim().origin().owner(), mark.until());
  }

  /** {@return a mark that waits for its message or an operator at the store's time, in one line} */
  public static Text of(Mark mark, Instant now) {
    return Text.of(
        "mark.is",
        place(mark),
        ago(mark.claimedAt(), now),
        mark.claim().origin().owner(),
        mark.claim().attempt().number(),
        mark.claim().attempt().inDoubt() ? Text.of("mark.is-in-doubt") : Text.NONE,
        ending(mark, now));
  }

  private static Text ending(Mark mark, Instant now) {
    return switch (mark.state()) {
      case PROCESSING ->
        mark.leasedAt(now)
            ? Text.of("mark.is-leased", mark.until())
            : Text.of("mark.is-stale", ago(mark.until(), now));
      case RETRY ->
        now.isBefore(mark.until())
            ? Text.of("mark.is-retried", mark.until())
            : Text.of("mark.is-due");
      case DEAD -> Text.of("mark.is-dead", ago(mark.until(), now), Text.plain(mark.detail()));
      case DONE -> Text.of("mark.is-done", ago(mark.until(), now));
      case ABSENT -> Text.NONE;
    };
  }

  /** Returns the age of a time. Both times are from the store's clock. */
  private static Text ago(Instant then, Instant now) {
    return Text.age(Duration.between(then, now));
  }

  private static Text place(Mark mark) {
    String coordinates = mark.claim().origin().coordinates();
    Text id = Text.plain(mark.key().id().toString());
    return coordinates.isEmpty() ? id : Text.of("sample.place", id, coordinates);
  }

  /** {@return the effect of a decision, as the words after "was" or "would be"} */
  public static Text effect(Resolution.Kind decision) {
    return Text.of("effect." + decision.name());
  }
}
