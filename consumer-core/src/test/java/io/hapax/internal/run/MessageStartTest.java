package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageStartTest {

  private final TestSettings settings = new TestSettings();
  private final TestSettling parts = new TestSettling(settings);
  private final MessageStart<String> start = new MessageStart<>(
      new InDoubtResolver<>(
          settings.onUnknownOutcome,
          Optional.empty(),
          parts.failures,
          parts.results,
          parts.messages.tasks,
          parts.messages.threads),
      parts.failures,
      parts.unmarked,
      new UnacquiredClaims<>(parts.messages.events, parts.messages.outcomes, parts.conflicts),
      parts.settler,
      Duration.ofSeconds(5));

  private Optional<Outcome> endWithoutRunning(InFlightMessage<String> message) {
    Optional<StepResult> result = start.endWithoutRunning(message);
    parts.messages.threads.run();
    assertThat(result.isPresent()).isEqualTo(message.outcome().isPresent());
    return message.outcome();
  }

  @Test
  void a_claimed_message_runs() {
    assertThat(endWithoutRunning(parts.claim("A"))).isEmpty();
  }

  @Test
  void a_message_whose_lease_is_too_short_is_released() {
    InFlightMessage<String> message = parts.claim("A");
    parts.messages.threads.advance(Duration.ofSeconds(25).plusNanos(1));

    assertThat(endWithoutRunning(message)).hasValue(Deferrals.TOO_SHORT);

    assertThat(parts.store.find(List.of(message.requiredKey())).get(0).map(Mark::state))
        .hasValue(MarkState.RETRY);
  }

  @Test
  void a_message_that_was_not_acquired_ends_by_the_answer() {
    var unused = parts.claim("A");

    assertThat(endWithoutRunning(parts.claim("A")).map(it -> ((Outcome.Deferred) it).reason()))
        .hasValue(Outcome.Reason.BUSY);
  }

  @Test
  void a_message_without_id_ends_by_its_policy() {
    assertThat(endWithoutRunning(parts.messages.message("?")).orElseThrow())
        .extracting("reason")
        .isEqualTo(Outcome.Reason.DEAD_LETTER_FAILED);
  }
}
