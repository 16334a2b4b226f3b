package io.hapax.internal.runtime;

import java.time.Instant;
import java.time.InstantSource;

/** Reads the machine's clocks. All other classes receive a clock in their constructor. */
public enum SystemTime implements Ticker, InstantSource {
  /** The monotonic clock and the date and time of this process. */
  INSTANCE;

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public Instant instant() {
    return Instant.now();
  }
}
