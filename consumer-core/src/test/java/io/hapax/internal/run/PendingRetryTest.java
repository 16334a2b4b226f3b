package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PendingRetryTest {

  private final TestMessages messages = new TestMessages();
  private final InFlightMessage<String> a = messages.claimed("A", FIRST);
  private final InFlightMessage<String> b = messages.claimed("B", FIRST);
  private final PendingRetry<String> retry = new PendingRetry<>(
      messages.outcomes,
      Duration.ofSeconds(5),
      Stream.of(a, b)
          .map(it -> new ClaimedMessage<>(it, it.acquired().orElseThrow()))
          .toList());

  @BeforeEach
  void failed() {
    a.start();
    b.start();
    retry.letWait();
  }

  private List<InFlightMessage<String>> started() {
    return retry.start().stream().map(ClaimedMessage::item).toList();
  }

  @Test
  void the_messages_of_the_call_start_again() {
    assertThat(started()).containsExactly(a, b);
  }

  @Test
  void those_behind_a_message_that_was_given_up_do_not_start() {
    messages.outcomes.giveUp(List.of(a), Deferrals.ABANDONED);

    assertThat(started()).isEmpty();
    assertThat(b.outcome()).hasValue(Deferrals.ABANDONED);
  }

  @Test
  void no_message_starts_if_the_lease_of_one_is_too_short() {
    b.lease.until(Duration.ofSeconds(5).toNanos() - 1);

    assertThat(started()).isEmpty();
    assertThat(a.outcome()).hasValue(Deferrals.TOO_SHORT);
  }
}
