package io.hapax.internal.runtime;

import java.time.InstantSource;
import java.util.function.DoubleSupplier;

/**
 * Provides the clocks, threads and random numbers that all parts of one engine share. The date and
 * time are for texts only. The random numbers are from 0.0 to 1.0, for pauses that differ between
 * processes.
 */
public record Environment(
    Ticker ticker, InstantSource clock, Threads threads, DoubleSupplier random) {

  public long nanos() {
    return ticker.nanos();
  }
}
