package io.hapax.jdbc;

import java.time.Duration;

/**
 * How a store removes expired marks in the background. Many nodes may do so at once; each skips
 * rows that others have locked.
 *
 * @param interval between two passes, plus or minus a random half; ten milliseconds to a day
 * @param batchSize at most this many marks are removed in one transaction; while there are more,
 *     the next transaction follows after about 50 ms; 1 to 10,000
 */
public record PurgeSettings(Duration interval, int batchSize) {

  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int LARGEST = 10_000;

  /** A pass every ten seconds, with up to 500 marks in a transaction. */
  public static final PurgeSettings DEFAULT = new PurgeSettings(Duration.ofSeconds(10), 500);

  /**
   * Checks both values.
   *
   * @param interval between two passes
   * @param batchSize at most this many marks are removed in one transaction
   */
  public PurgeSettings {
    if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "interval is " + interval + " but must be ten milliseconds to a day");
    }
    if (batchSize < 1 || batchSize > LARGEST) {
      throw new IllegalArgumentException(
          "batchSize is " + batchSize + " but must be 1 to " + LARGEST);
    }
  }
}
