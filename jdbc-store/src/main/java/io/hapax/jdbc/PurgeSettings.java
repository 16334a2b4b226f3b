package io.hapax.jdbc;

import java.time.Duration;

/**
 * How a store removes, in the background, the marks that nobody needs any more. Many nodes may do
 * so at once; each removes what no other has locked.
 *
 * @param interval between two looks for such marks, give or take a half at random; ten milliseconds
 *     to a day
 * @param batchSize how many are removed at most in one transaction; while there are more, the next
 *     follows after some 50 ms; 1 to 10,000
 */
public record PurgeSettings(Duration interval, int batchSize) {

  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int LARGEST = 10_000;

  /** A look every ten seconds, up to 500 marks at a time. */
  public static final PurgeSettings DEFAULT = new PurgeSettings(Duration.ofSeconds(10), 500);

  /**
   * Checks both.
   *
   * @param interval between two looks
   * @param batchSize how many are removed at most in one transaction
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
