package io.hapax;

import java.time.Duration;

/**
 * How stale marks are counted.
 *
 * @param interval from the end of one count to the next, and of each instance of a consumer; ten
 *     milliseconds to a day
 * @param limit at how many marks of a kind a count stops; 1 to 100,000
 */
public record StaleMarkSettings(Duration interval, int limit) {

  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int LARGEST = 100_000;

  /** Every five minutes, up to 1000 of each kind. */
  public static final StaleMarkSettings DEFAULT =
      new StaleMarkSettings(Duration.ofMinutes(5), 1000);

  /**
   * Checks the rules above.
   *
   * @param interval from one count to the next
   * @param limit at how many a count stops
   */
  public StaleMarkSettings {
    if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "interval is " + interval + " but must be ten milliseconds to a day");
    }
    if (limit < 1 || limit > LARGEST) {
      throw new IllegalArgumentException("limit is " + limit + " but must be 1 to " + LARGEST);
    }
  }
}
