package io.hapax.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeadLettersTest {

  private final List<DeadLetter<String>> buried = new ArrayList<>();
  private final TestSettings settings = new TestSettings();

  private static Optional<Deferred> publish(TestSettling parts) {
    InFlightMessage<String> message = parts.messages.message("A");
    return parts.deadLetters.publish(
        message, 3, DeadLetter.Kind.ATTEMPTS_EXHAUSTED, "no stock", false);
  }

  @Test
  void a_record_that_the_broker_acknowledges_names_message_and_reason() {
    settings.deadLetters = Optional.of(buried::add);

    assertThat(publish(new TestSettling(settings))).isEmpty();

    assertThat(buried)
        .containsExactly(new DeadLetter<>(
            "A",
            TestSettings.SCOPE,
            "A",
            "p0@A",
            3,
            DeadLetter.Kind.ATTEMPTS_EXHAUSTED,
            "no stock",
            false));
  }

  @Test
  void a_publisher_that_fails_is_called_again_after_a_backoff_that_doubles() {
    settings.deadLetters = Optional.of(record -> {
      throw new IllegalStateException("no such topic");
    });
    TestSettling parts = new TestSettling(settings);

    Deferred first = publish(parts).orElseThrow();
    Deferred second = publish(parts).orElseThrow();

    assertThat(first.reason()).isEqualTo(Reason.DEAD_LETTER_FAILED);
    assertThat(first.detail()).contains("no such topic");
    assertThat(first.after()).isEqualTo(Duration.ofMinutes(1));
    assertThat(second.after()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void without_a_publisher_the_message_waits() {
    assertThat(publish(new TestSettling(settings)).map(Deferred::detail))
        .hasValueSatisfying(it -> assertThat(it).contains("deadLetters is not set"));
  }
}
