package io.hapax;

import io.hapax.setting.Durations;
import java.time.Duration;

/**
 * Limits the cache of DONE messages of a receiver.
 *
 * @param entries the maximum number of messages; 1 to 10,000,000. Each takes about 150 bytes, so
 *     the default takes up to 15 MB
 * @param maxAge how long an entry is used after the store answered DONE; positive, and not longer
 *     than the store's retention. Reopening a DONE mark takes effect after this time
 */
public record DoneCacheSettings(int entries, Duration maxAge) {

  private static final int MAX_ENTRIES = 10_000_000;

  /** 100,000 messages, for five minutes. */
  public static final DoneCacheSettings DEFAULT =
      new DoneCacheSettings(100_000, Duration.ofMinutes(5));

  /**
   * Checks the rules above.
   *
   * @param entries 1 to 10,000,000
   * @param maxAge positive
   */
  public DoneCacheSettings {
    if (entries < 1 || entries > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "entries is " + entries + " but must be 1 to " + MAX_ENTRIES);
    }
    Durations.positive("maxAge", maxAge);
  }
}
