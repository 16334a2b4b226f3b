package io.hapax.internal.runtime;

import java.time.InstantSource;
import java.util.function.DoubleSupplier;

/**
 * Provides the clocks, threads and random numbers that all parts of one engine share.
 *
 * @param ticker the monotonic clock
 * @param clock the date and time of this machine, for texts only
 * @param threads the engine's threads
 * @param random numbers from 0.0 to 1.0, for pauses that differ between processes; thread-safe
 */
public record Environment(
    Ticker ticker, InstantSource clock, Threads threads, DoubleSupplier random) {

  /** Returns the time of the monotonic clock, in nanoseconds. */
  public long nanos() {
    return ticker.nanos();
  }
}
