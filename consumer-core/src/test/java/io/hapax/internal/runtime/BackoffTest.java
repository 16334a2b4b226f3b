package io.hapax.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long is waited after each failure, with dice that always show the same. */
class BackoffTest {

  private static List<Long> millis(Backoff backoff, int failures) {
    return IntStream.rangeClosed(1, failures)
        .mapToObj(it -> backoff.after(it).toMillis())
        .toList();
  }

  @Test
  void between_attempts_it_doubles_exactly_up_to_the_longest() {
    Backoff backoff =
        Backoff.ofRetries(new RetrySettings(9, Duration.ofSeconds(1), Duration.ofMinutes(5)));

    assertThat(millis(backoff, 11))
        .containsExactly(
            1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 64_000L, 128_000L, 256_000L, 300_000L,
            300_000L);
    assertThat(backoff.after(1_000_000)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void configured_waits_are_kept_and_the_last_one_is_repeated() {
    List<Duration> waits =
        List.of(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(7));

    assertThat(millis(Backoff.ofRetries(RetrySettings.of(9, waits)), 5))
        .containsExactly(5_000L, 60_000L, 7_000L, 7_000L, 7_000L);
  }

  @Test
  void the_default_covers_ten_minutes_and_never_waits_longer_than_one() {
    RetrySettings retry = RetrySettings.DEFAULT;
    List<Long> waits = millis(Backoff.ofRetries(retry), retry.maxAttempts() - 1);

    assertThat(waits).startsWith(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L);
    assertThat(waits).allMatch(wait -> wait <= 60_000);
    assertThat(Duration.ofMillis(waits.stream().mapToLong(wait -> wait).sum()))
        .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
  }

  @Test
  void the_pause_after_a_store_failure_doubles_with_a_jitter_of_one_half() {
    assertThat(millis(Backoff.ofStoreCalls(() -> 0.5), 8))
        .containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1_000L, 1_000L);
    assertThat(millis(Backoff.ofStoreCalls(() -> 0), 7))
        .containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 500L);
    assertThat(millis(Backoff.ofStoreCalls(() -> 1), 7))
        .containsExactly(30L, 60L, 120L, 240L, 480L, 960L, 1_500L);
  }

  @Test
  void the_backoff_of_contention_is_ten_to_a_hundred_milliseconds() {
    assertThat(Backoff.ofContention(() -> 0)).isEqualTo(Duration.ofMillis(10));
    assertThat(Backoff.ofContention(() -> 1)).isEqualTo(Duration.ofMillis(100));
  }
}
