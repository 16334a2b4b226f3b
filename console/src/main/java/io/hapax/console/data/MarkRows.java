package io.hapax.console.data;

import io.hapax.console.operations.ReportJson;
import io.hapax.console.view.MarkRow;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Converts marks to rows of a page. */
final class MarkRows {

  private static final int LONGEST = 4_000;

  private final boolean payloads;

  /** Results of handlers are payloads, and shown only with {@code --show-payloads}. */
  MarkRows(boolean payloads) {
    this.payloads = payloads;
  }

  MarkRow of(Mark mark, Instant now) {
    Duration age = Duration.between(mark.claimedAt(), now);
    return new MarkRow(
        ReportJson.whole(mark.key().id()),
        mark.state().name(),
        mark.claim().origin().coordinates(),
        mark.claim().origin().owner(),
        mark.claim().attempt().number(),
        mark.claim().attempt().inDoubt(),
        mark.leasedAt(now),
        mark.claim().token(),
        mark.claimedAt(),
        mark.until(),
        age.isNegative() ? Duration.ZERO : age,
        detail(mark));
  }

  private String detail(Mark mark) {
    boolean shown = mark.state() == MarkState.DEAD || (mark.state() == MarkState.DONE && payloads);
    return shown ? text(mark.detail()) : "";
  }

  static String text(Bytes detail) {
    String text = new String(detail.toByteArray(), StandardCharsets.UTF_8);
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }
}
