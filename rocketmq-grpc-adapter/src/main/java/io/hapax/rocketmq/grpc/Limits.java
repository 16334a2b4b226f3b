package io.hapax.rocketmq.grpc;

import java.time.Duration;

/** What users set as limits, as far as a clock of nanoseconds can count to them. */
final class Limits {

  /** Nobody waits longer, and a sum with what the clock says does not overflow. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private Limits() {}

  /** As it is, or the longest that can be counted if it is longer. */
  static Duration countable(Duration limit) {
    return limit.compareTo(LONGEST) > 0 ? LONGEST : limit;
  }
}
