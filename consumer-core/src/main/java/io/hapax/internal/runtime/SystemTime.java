package io.hapax.internal.runtime;

import java.time.Instant;
import java.time.InstantSource;

/** The one place that reads the machine's clocks; everything else is handed one. */
public enum SystemTime implements Ticker, InstantSource {
  /** The clocks of this process: the monotonic one, and the one that tells the date. */
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
