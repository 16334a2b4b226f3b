package io.hapax;

import io.hapax.errors.DeferredException;
import io.hapax.setting.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * How failed and deferred messages are tried again.
 *
 * @param maxAttempts the number of attempts after which a message is dead-lettered; at least 1
 * @param firstBackoff the wait after the first failure; positive
 * @param maxBackoff the longest wait
 * @param waits the waits after the first failure, the second, and so on; later waits are as long as
 *     the last one. Empty: each wait is twice the one before, up to the longest
 * @param maxDeferral how long a handler can defer a message by {@link DeferredException}. The time
 *     counts from the first claim that was deferred, by the store's clock, across restarts and
 *     other instances. A deferral beyond it counts as a failed attempt. Zero: every deferral does.
 *     Not negative
 */
public record RetrySettings(
    int maxAttempts,
    Duration firstBackoff,
    Duration maxBackoff,
    List<Duration> waits,
    Duration maxDeferral) {

  private static final Duration MAX_DEFERRAL = Duration.ofDays(1);

  /**
   * 16 attempts with waits of 1, 2, 4, 8, 16, 32 s and then 60 s between them. They cover an outage
   * of a downstream of 10 minutes: the 16th attempt starts 10 minutes and 3 s after the first one,
   * plus the time that the handler takes. A message can be deferred for a day.
   */
  public static final RetrySettings DEFAULT =
      new RetrySettings(16, Duration.ofSeconds(1), Duration.ofMinutes(1));

  /**
   * Checks the rules above.
   *
   * @param maxAttempts at least 1
   * @param firstBackoff positive
   * @param maxBackoff not less than the first
   * @param waits none, or from the first to the longest: all positive, and none longer than that
   * @param maxDeferral not negative
   */
  public RetrySettings {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException(
          "maxAttempts is " + maxAttempts + " but must be at least 1");
    }
    Durations.positive("firstBackoff", firstBackoff);
    Durations.notNegative("maxBackoff", maxBackoff);
    if (maxBackoff.compareTo(firstBackoff) < 0) {
      throw new IllegalArgumentException("maxBackoff is " + maxBackoff
          + " but must not be less than firstBackoff " + firstBackoff);
    }
    waits = List.copyOf(waits);
    for (Duration wait : waits) {
      if (wait.isNegative() || wait.isZero() || wait.compareTo(maxBackoff) > 0) {
        throw new IllegalArgumentException(
            "a wait is " + wait + " but must be positive and not longer than " + maxBackoff);
      }
    }
    Durations.notNegative("maxDeferral", maxDeferral);
  }

  /**
   * Makes settings whose waits double, with a {@code maxDeferral} of one day.
   *
   * @param maxAttempts at least 1
   * @param firstBackoff positive
   * @param maxBackoff not less than the first
   */
  public RetrySettings(int maxAttempts, Duration firstBackoff, Duration maxBackoff) {
    this(maxAttempts, firstBackoff, maxBackoff, List.of(), MAX_DEFERRAL);
  }

  /**
   * {@return a copy of these settings with another limit of deferrals}
   *
   * @param limit how long a message can be deferred; zero if every deferral is a failed attempt
   */
  public RetrySettings withMaxDeferral(Duration limit) {
    return new RetrySettings(maxAttempts, firstBackoff, maxBackoff, waits, limit);
  }

  /**
   * {@return settings with waits of your own, as {@code io.hapax.resilience4j} makes them, and a
   * {@code maxDeferral} of one day}
   *
   * @param maxAttempts at least 1
   * @param waits after the first failure, the second, and so on: at least one, all positive
   * @throws IllegalArgumentException if a setting breaks its rule
   */
  public static RetrySettings of(int maxAttempts, List<Duration> waits) {
    Duration longest = waits.stream()
        .max(Comparator.naturalOrder())
        .orElseThrow(() -> new IllegalArgumentException("waits are none but must be at least one"));
    return new RetrySettings(maxAttempts, waits.get(0), longest, waits, MAX_DEFERRAL);
  }
}
