package io.hapax.mark;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Converts instants to epoch microseconds, the unit of fencing tokens and stores, and back. */
public final class EpochMicros {

  private EpochMicros() {}

  /**
   * {@return an instant in microseconds since 1970, rounded down}
   *
   * @param instant any instant; one outside the range of a long gives the nearest end of the range
   */
  public static long of(Instant instant) {
    long seconds = instant.getEpochSecond();
    if (seconds > Long.MAX_VALUE / 1_000_000 - 1) {
      return Long.MAX_VALUE;
    }
    if (seconds < Long.MIN_VALUE / 1_000_000 + 1) {
      return Long.MIN_VALUE;
    }
    return seconds * 1_000_000 + instant.getNano() / 1_000;
  }

  /**
   * {@return the instant of a number of microseconds since 1970}
   *
   * @param micros epoch microseconds
   */
  public static Instant toInstant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
