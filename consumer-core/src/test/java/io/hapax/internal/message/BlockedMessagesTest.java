package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.health.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockedMessagesTest {

  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Deferred REFUSED =
      new Deferred(Reason.DEAD_LETTER_FAILED, PAUSE, "no such topic");

  private final TestMessages messages = new TestMessages();
  private final BlockedMessages blocked = messages.blocked;

  /** Delivers the message, which can neither run nor be dead-lettered. */
  private void deliver() {
    List<InFlightMessage<String>> delivery = messages.read("A");
    blocked.redelivered(delivery);
    blocked.block(delivery.get(0), "no such topic", PAUSE);
    messages.outcomes.finish(delivery.get(0), REFUSED);
  }

  private int refusals() {
    return blocked.refusals(messages.message("A"));
  }

  @Test
  void a_blocked_message_is_a_problem_until_it_finishes() {
    deliver();
    assertThat(messages.problems()).containsExactly(Problem.Kind.MESSAGE_BLOCKED);

    messages.outcomes.finish(messages.message("A"), new Outcome.DeadLettered("at last"));

    assertThat(messages.problems()).isEmpty();
    assertThat(refusals()).isZero();
  }

  @Test
  void refusals_of_one_message_are_counted_across_deliveries() {
    deliver();
    deliver();

    assertThat(refusals()).isEqualTo(2);
    assertThat(blocked.refusals(messages.message("B"))).isZero();
  }

  @Test
  void the_problem_ends_if_the_message_is_not_redelivered_within_three_pauses() {
    deliver();

    messages.threads.advance(PAUSE.multipliedBy(3).minusMillis(1));
    assertThat(messages.problems()).isNotEmpty();
    messages.threads.advance(Duration.ofMillis(1));

    assertThat(messages.problems()).isEmpty();
    assertThat(refusals()).as("kept for a late redelivery").isEqualTo(1);
    messages.threads.advance(Duration.ofHours(1));
    assertThat(refusals()).isZero();
  }

  @Test
  void a_redelivery_keeps_the_problem_while_it_is_in_flight() {
    deliver();

    blocked.redelivered(messages.read("A"));
    messages.threads.advance(PAUSE.multipliedBy(10));

    assertThat(messages.problems()).isNotEmpty();
  }

  @Test
  void a_message_that_has_its_id_now_ends_the_problem_of_its_coordinates() {
    InFlightMessage<String> unread = InFlightMessage.unmarked(
        messages.message("A").batch, 0, messages.message("A").incoming, Optional.empty());
    blocked.block(unread, "no usable id", PAUSE);

    blocked.redelivered(messages.read("A"));

    assertThat(messages.problems()).isEmpty();
  }
}
