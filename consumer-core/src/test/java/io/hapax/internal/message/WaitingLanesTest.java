package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingLanesTest {

  private final TestMessages messages = new TestMessages();

  private void defer(String text, Reason reason, int seconds) {
    messages.outcomes.finish(
        messages.message(text), new Deferred(reason, Duration.ofSeconds(seconds), ""));
  }

  private Iterable<String> waiting() {
    return messages.waitingLanes.waiting().stream().map(it -> it.coordinates()).toList();
  }

  @Test
  void messages_that_hold_back_their_lanes_are_listed_by_their_wait() {
    defer("A", Reason.RETRY, 10);
    defer("B", Reason.BUSY, 30);
    defer("C", Reason.DEFERRED, 20);

    assertThat(waiting()).containsExactly("p0@B", "p0@C", "p0@A");
  }

  @Test
  void a_message_behind_another_one_or_given_up_holds_back_nothing_itself() {
    defer("A", Reason.BLOCKED, 10);
    defer("B", Reason.ABANDONED, 10);

    assertThat(waiting()).isEmpty();
  }

  @Test
  void a_message_is_listed_until_it_is_due_or_finished() {
    defer("A", Reason.RETRY, 10);
    defer("B", Reason.RETRY, 20);
    messages.threads.advance(Duration.ofSeconds(10));
    assertThat(waiting()).containsExactly("p0@B");

    messages.outcomes.finish(messages.message("B"), new Outcome.Executed(7, 1));

    assertThat(waiting()).isEmpty();
  }

  @Test
  void at_most_a_hundred_are_kept_and_those_that_are_due_make_room() {
    for (int i = 0; i < 101; i++) {
      defer("A" + i, Reason.RETRY, 10);
    }
    assertThat(waiting()).hasSize(100);

    messages.threads.advance(Duration.ofSeconds(10));
    defer("B", Reason.RETRY, 10);

    assertThat(waiting()).containsExactly("p0@B");
  }
}
