package io.hapax;

import java.time.Duration;

/**
 * When stale marks are counted.
 *
 * @param interval the time from the end of one count to the next, in each instance of a consumer;
 *     ten milliseconds to a day
 * @param limit the number of marks of a kind at which a count stops; 1 to 100,000
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
   * @param interval ten milliseconds to a day
   * @param limit 1 to 100,000
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
