package io.hapax.setting;

import java.time.Duration;

/**
 * Checks the durations of all settings. A longer duration than {@link #LONGEST} would overflow the
 * clocks, which count nanoseconds in a {@code long}.
 */
public final class Durations {

  /** The longest duration: a hundred years. */
  public static final Duration LONGEST = Duration.ofDays(36_500);

  private Durations() {}

  /**
   * {@return the value of a duration that must be positive}
   *
   * @param setting the name of the setting
   * @param value its value
   * @throws IllegalArgumentException if the value is not positive or longer than {@link #LONGEST}
   */
  public static Duration positive(String setting, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(setting + " is " + value + " but must be positive");
    }
    return bounded(setting, value);
  }

  /**
   * {@return the value of a duration that may be zero}
   *
   * @param setting the name of the setting
   * @param value its value
   * @throws IllegalArgumentException if the value is negative or longer than {@link #LONGEST}
   */
  public static Duration notNegative(String setting, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(setting + " is " + value + " but must not be negative");
    }
    return bounded(setting, value);
  }

  /**
   * {@return the value of the longest wait for an end, at most {@link #LONGEST}} A wait without an
   * end, such as {@link java.time.temporal.ChronoUnit#FOREVER}, becomes {@link #LONGEST}.
   *
   * @param setting the name of the setting
   * @param value its value
   * @throws IllegalArgumentException if the value is negative
   */
  public static Duration limit(String setting, Duration value) {
    Duration shorter = value.compareTo(LONGEST) > 0 ? LONGEST : value;
    return notNegative(setting, shorter);
  }

  private static Duration bounded(String setting, Duration value) {
    if (value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          setting + " is " + value + " but must be at most a hundred years (36,500 days)");
    }
    return value;
  }
}
