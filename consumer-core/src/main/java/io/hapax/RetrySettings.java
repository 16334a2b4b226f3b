package io.hapax;

import java.time.Duration;

/**
 * How failed messages are tried again.
 *
 * @param maxAttempts the number of attempts after which a message is dead-lettered; at least 1
 * @param firstBackoff the wait after the first failure; positive
 * @param maxBackoff the longest wait; each wait is twice the one before, up to this
 */
public record RetrySettings(int maxAttempts, Duration firstBackoff, Duration maxBackoff) {

  /**
   * 16 attempts with waits of 1, 2, 4, 8, 16, 32 s and then 60 s between them. They cover an outage
   * of a downstream of 10 minutes: the 16th attempt starts 10 minutes and 3 s after the first one,
   * plus the time that the handler takes.
   */
  public static final RetrySettings DEFAULT =
      new RetrySettings(16, Duration.ofSeconds(1), Duration.ofMinutes(1));

  /**
   * Checks the rules above.
   *
   * @param maxAttempts at least 1
   * @param firstBackoff positive
   * @param maxBackoff not less than the first
   */
  public RetrySettings {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException(
          "maxAttempts is " + maxAttempts + " but must be at least 1");
    }
    if (firstBackoff.isNegative() || firstBackoff.isZero()) {
      throw new IllegalArgumentException(
          "firstBackoff is " + firstBackoff + " but must be positive");
    }
    if (maxBackoff.compareTo(firstBackoff) < 0) {
      throw new IllegalArgumentException("maxBackoff is " + maxBackoff
          + " but must not be less than firstBackoff " + firstBackoff);
    }
  }
}
