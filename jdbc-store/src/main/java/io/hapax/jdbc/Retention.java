package io.hapax.jdbc;

import java.time.Duration;

/**
 * How long marks are kept: a DONE mark after it was settled; an open or dead mark, for at least as
 * long, after its lease ended, its retry was due, or it was settled dead.
 */
record Retention(Duration done, Duration open) {

  /**
   * How long after its first claim a mark may be claimed again without a new index entry. It covers
   * handling and backoff of an ordinary message. It only affects the cost of a claim: the purge
   * goes by the time of settlement.
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

  /** Returns the open retention, but never less than that of DONE marks. */
  Duration openForAtLeast() {
    return open.compareTo(done) < 0 ? done : open;
  }

  long openMicros() {
    return micros(openForAtLeast());
  }

  /** Returns the time from a mark's claim to its index entry. */
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
