package io.hapax.console.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Resolution;
import io.hapax.operations.text.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A mark in one line. */
class MarkTextTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private static Mark mark(MarkState state, Duration claimed, Duration until, String detail) {
    return mark("shop-7-4711/billing", state, claimed, until, detail);
  }

  private static Mark mark(
      String owner, MarkState state, Duration claimed, Duration until, String detail) {
    Claim claim = new Claim(
        MessageKey.of("billing", "order-17"),
        new Nonce(7, 7),
        3,
        new Attempt(2, false, true, true),
        Fingerprint.NONE,
        new Origin(owner, "orders-3@1507"));
    return new Mark(claim, state, NOW.minus(claimed), NOW.plus(until), Bytes.utf8(detail));
  }

  @Test
  void a_stale_mark_shows_place_owner_and_age_of_its_message() {
    Mark stale = mark(MarkState.PROCESSING, Duration.ofMinutes(150), Duration.ofMinutes(-149), "");

    assertThat(MarkText.of(stale, NOW).toString())
        .isEqualTo("order-17 at orders-3@1507, claimed 2 h ago by shop-7-4711/billing, attempt 2,"
            + " in doubt, its lease ended 2 h ago");
  }

  @Test
  void one_that_is_in_doubt_may_be_held_or_wait_for_its_next_attempt() {
    Mark held = mark(MarkState.PROCESSING, Duration.ofSeconds(3), Duration.ofSeconds(27), "");
    Mark waiting = mark(MarkState.RETRY, Duration.ofMinutes(1), Duration.ofSeconds(8), "");

    assertThat(MarkText.of(held, NOW).toString())
        .contains("claimed 3 s ago", ", held until 2026-11-22T12:00:27Z");
    assertThat(MarkText.held(held).toString())
        .isEqualTo("order-17 at orders-3@1507, held by shop-7-4711/billing until"
            + " 2026-11-22T12:00:27Z");
    assertThat(MarkText.of(waiting, NOW).toString())
        .endsWith(", to be retried from 2026-11-22T12:00:08Z");
  }

  @Test
  void a_done_one_says_so() {
    Mark done = mark(MarkState.DONE, Duration.ofSeconds(9), Duration.ofSeconds(-8), "a result");

    assertThat(MarkText.of(done, NOW).toString())
        .endsWith(", done 8 s ago")
        .doesNotContain("a result");
  }

  @Test
  void a_dead_one_says_why_and_what_others_wrote_is_no_line_of_ours() {
    Mark dead = mark(
        "shop\n  order-18 at orders-3@1508",
        MarkState.DEAD,
        Duration.ofDays(3),
        Duration.ofDays(-3),
        "no such price".repeat(30));

    assertThat(MarkText.of(dead, NOW).toString())
        .endsWith(", dead 3 d ago: " + "no such price".repeat(30))
        .contains("by shop   order-18 at")
        .hasLineCount(1);
  }

  @Test
  void a_decision_on_a_mark_is_described_by_what_then_runs() {
    assertThat(Stream.of(Resolution.Kind.values()).map(MarkText::effect).map(Text::toString))
        .containsExactly(
            "reopened: the message runs when it is delivered",
            "marked as done: the message does not run",
            "reopened for any payload: the first message with its id runs",
            "kept as done for any payload: no message with its id runs",
            "forgotten: the result is erased, and the message stays done");
  }
}
