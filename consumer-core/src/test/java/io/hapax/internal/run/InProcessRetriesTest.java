package io.hapax.internal.run;

import static io.hapax.internal.message.TestMessages.FIRST;
import static io.hapax.internal.message.TestMessages.IN_DOUBT;
import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.InProcessRetry;
import io.hapax.errors.DeferredException;
import io.hapax.errors.NotAppliedException;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import io.hapax.mark.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InProcessRetriesTest {

  private final Exception withoutEffect = new NotAppliedException("connection refused");

  private final TestSettings settings = new TestSettings();

  private Optional<Duration> waitFor(Attempt attempt, Exception error, int calls) {
    TestSettling parts = new TestSettling(settings);
    InFlightMessage<String> message = parts.messages.claimed("A", attempt);
    InProcessRetry twice = InProcessRetry.of(2, Duration.ofMillis(100), Duration.ofSeconds(1));
    return new InProcessRetries<>(
            Optional.of(twice), () -> 0.5, parts.messages.events, parts.failures)
        .waitFor(
            List.of(new ClaimedMessage<>(message, message.acquired().orElseThrow())),
            FailedCall.leased(error, false),
            calls);
  }

  @Test
  void a_call_without_effect_is_retried_up_to_the_maximum() {
    assertThat(waitFor(FIRST, withoutEffect, 1)).hasValue(Duration.ofMillis(100));
    assertThat(waitFor(FIRST, withoutEffect, 2)).hasValue(Duration.ofMillis(200));
    assertThat(waitFor(FIRST, withoutEffect, 3)).isEmpty();
  }

  @Test
  void a_call_that_may_have_taken_effect_is_not_retried() {
    assertThat(waitFor(FIRST, new IllegalStateException(), 1)).isEmpty();
  }

  @Test
  void a_message_in_doubt_is_not_retried() {
    assertThat(waitFor(IN_DOUBT, withoutEffect, 1)).isEmpty();
  }

  @Test
  void a_deferral_leaves_the_process() {
    assertThat(waitFor(FIRST, new DeferredException(Duration.ofSeconds(1)), 1)).isEmpty();
  }

  @Test
  void a_permanent_error_is_not_retried() {
    settings.notRetryable = NotAppliedException.class::isInstance;

    assertThat(waitFor(FIRST, withoutEffect, 1)).isEmpty();
  }
}
