package io.hapax;

import java.time.Duration;

/**
 * How many messages that are DONE a receiver remembers by itself, and for how long.
 *
 * @param entries how many at most; 1 to 10,000,000. Each takes about 150 bytes, so that the default
 *     takes up to 15 MB
 * @param maxAge how long after the store said that it is DONE a message is remembered at most;
 *     positive, and not longer than the store's retention. For as long as that an operator's
 *     decision to run it again may go unseen
 */
public record DoneCacheSettings(int entries, Duration maxAge) {

  private static final int MAX_ENTRIES = 10_000_000;

  /** 100,000 messages, for five minutes. */
  public static final DoneCacheSettings DEFAULT =
      new DoneCacheSettings(100_000, Duration.ofMinutes(5));

  /**
   * Checks the rules above.
   *
   * @param entries how many
   * @param maxAge for how long
   */
  public DoneCacheSettings {
    if (entries < 1 || entries > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "entries is " + entries + " but must be 1 to " + MAX_ENTRIES);
    }
    if (maxAge.isNegative() || maxAge.isZero()) {
      throw new IllegalArgumentException("maxAge is " + maxAge + " but must be positive");
    }
  }
}
