package io.hapax.rocketmq.grpc;

import java.time.Duration;

/** Bounds the limits that users set to durations that a clock of nanoseconds can count. */
final class Limits {

  /** Exceeds every real wait, and its sum with the time of the clock does not overflow. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private Limits() {}

  /** Returns the limit, or the longest countable duration if the limit is longer. */
  static Duration countable(Duration limit) {
    return limit.compareTo(LONGEST) > 0 ? LONGEST : limit;
  }
}
