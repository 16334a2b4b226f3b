package io.hapax.jdbc;

import java.time.Duration;

/**
 * How long marks stay.
 *
 * @param done a DONE mark, after it was settled
 * @param open an open or dead mark, after its lease ended, it was due or settled; if that is less,
 *     as long as a DONE one
 */
record Retention(Duration done, Duration open) {

  /**
   * How much later than its first claim a mark may be claimed again without being moved in the
   * index: the longest handling and backoff of a message that is not in trouble. It decides what a
   * claim costs, and no more: what may be removed is judged by when it was settled.
   */
  private static final Duration SLACK = Duration.ofHours(1);

  static final long SLACK_MICROS = micros(SLACK);

  private static final Duration LONGEST = Duration.ofDays(36_500);

  Retention {
    check("retention", done);
    check("openRetention", open);
  }

  private static void check(String setting, Duration value) {
    JdbcSettings.atLeastOneMilli(setting, value);
    if (value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          setting + " is " + value + " but must be at most a hundred years");
    }
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }

  long doneMicros() {
    return micros(done);
  }

  /** Open marks stay at least as long as DONE ones. */
  Duration openForAtLeast() {
    return open.compareTo(done) < 0 ? done : open;
  }

  long openMicros() {
    return micros(openForAtLeast());
  }

  /** From a mark's claim to the time in the index. */
  long fromClaimMicros() {
    return doneMicros() + SLACK_MICROS;
  }

  Retention withDone(Duration value) {
    return new Retention(value, open);
  }

  Retention withOpen(Duration value) {
    return new Retention(done, value);
  }
}
