package io.hapax.redis;

import io.hapax.mark.EpochMicros;
import java.time.Duration;
import java.time.Instant;

/**
 * Microseconds for the scripts. Lua numbers are doubles, which hold every whole number below 2^53.
 * Times and tokens stay below 2^52, the year 2112; a script refuses to run on a server whose clock
 * is later.
 */
final class Micros {

  /** The first number that is too large. */
  static final long LIMIT = 1L << 52;

  /** The maximum duration; longer ones are cut to it. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Micros() {}

  /** Converts an instant; one outside 1970 to the limit becomes the nearest valid one. */
  static long of(Instant instant) {
    return Math.max(0, Math.min(LIMIT - 1, EpochMicros.of(instant)));
  }

  /** Converts a duration, rounded up to a whole microsecond. */
  static long of(Duration span) {
    Duration bounded = span.compareTo(LONGEST) > 0 ? LONGEST : span;
    return (bounded.toNanos() + 999) / 1_000;
  }

  /** Checks a token. */
  static long ofToken(long token) {
    if (token < 0 || token >= LIMIT) {
      throw new IllegalArgumentException(
          "token is " + token + " but must be at least 0 and less than 2^52");
    }
    return token;
  }
}
