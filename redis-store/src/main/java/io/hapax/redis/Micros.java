package io.hapax.redis;

import io.hapax.mark.EpochMicros;
import java.time.Duration;
import java.time.Instant;

/**
 * Microseconds as the scripts reckon with them: Lua has doubles only, which hold every whole number
 * below 2^53. Times and tokens stay below 2^52, which is in the year 2112; a script refuses to run
 * on a server whose clock is past that.
 */
final class Micros {

  /** The first number that is too large. */
  static final long LIMIT = 1L << 52;

  /** Spans that are longer are cut to a hundred years. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Micros() {}

  /** An instant; one before 1970 or past the limit becomes the nearest that can be said. */
  static long of(Instant instant) {
    return Math.max(0, Math.min(LIMIT - 1, EpochMicros.of(instant)));
  }

  /** A span, rounded up to a whole microsecond. */
  static long of(Duration span) {
    Duration bounded = span.compareTo(LONGEST) > 0 ? LONGEST : span;
    return (bounded.toNanos() + 999) / 1_000;
  }

  /** A token. */
  static long ofToken(long token) {
    if (token < 0 || token >= LIMIT) {
      throw new IllegalArgumentException(
          "token is " + token + " but must be at least 0 and less than 2^52");
    }
    return token;
  }
}
