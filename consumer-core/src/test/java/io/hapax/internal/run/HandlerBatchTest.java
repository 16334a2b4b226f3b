package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.FIRST;
import static io.hapax.internal.message.TestMessages.IN_DOUBT;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.settle.MessageAges;
import io.hapax.mark.Attempt;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandlerBatchTest {

  private static final Attempt SOLO = new Attempt(1, true, true, false);
  private static final Attempt SECOND = new Attempt(2, false, true, false);
  private static final Attempt DEFERRED = new Attempt(1, false, true, false, 5);

  private final TestMessages messages = new TestMessages();
  private final HandlerBatch<String> batch = new HandlerBatch<>(
      new MessageAges<>(messages.events, TooOldPolicy.PROCESS, Duration.ofDays(8)),
      Duration.ofSeconds(5));
  private final InFlightMessage<String> b = messages.claimed("B", FIRST);
  private final InFlightMessage<String> c = messages.claimed("C", FIRST);

  private ClaimedMessage<String> first(Attempt attempt) {
    InFlightMessage<String> first = messages.claimed("A", attempt);
    return new ClaimedMessage<>(first, first.acquired().orElseThrow());
  }

  private List<String> together(ClaimedMessage<String> first, InFlightMessage<String> second) {
    return batch.of(first, List.of(second, c)).stream()
        .map(it -> it.item().incoming.message())
        .toList();
  }

  @Test
  void messages_behind_the_first_run_in_its_call() {
    assertThat(together(first(FIRST), b)).containsExactly("A", "B", "C");
  }

  @Test
  void a_message_that_failed_or_was_lost_before_runs_alone() {
    for (Attempt attempt : List.of(SOLO, SECOND, IN_DOUBT, DEFERRED)) {
      assertThat(together(first(attempt), b)).as(attempt.toString()).containsExactly("A");
    }
  }

  @Test
  void such_a_message_ends_the_selection() {
    assertThat(together(first(FIRST), messages.claimed("B", SECOND))).containsExactly("A");
    assertThat(c.start()).as("not started").isTrue();
  }

  @Test
  void a_message_without_a_claim_ends_the_selection() {
    assertThat(together(first(FIRST), messages.message("B"))).containsExactly("A");
  }

  @Test
  void a_message_whose_lease_is_too_short_ends_the_selection() {
    b.lease.until(Duration.ofSeconds(5).toNanos() - 1);

    assertThat(together(first(FIRST), b)).containsExactly("A");
  }

  @Test
  void a_message_that_was_given_up_ends_the_selection() {
    messages.outcomes.giveUp(List.of(b), Deferrals.ABANDONED);

    assertThat(together(first(FIRST), b)).containsExactly("A");
  }
}
