package io.hapax.internal.runtime;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Provides all that is not deterministic: clocks, threads and random numbers. A simulation replaces
 * it.
 *
 * @param ticker the monotonic clock
 * @param clock the date and time, for texts and health only
 * @param starter starts the threads
 * @param random numbers from 0.0 to 1.0, for pauses that differ between processes; thread-safe
 */
public record Platform(Ticker ticker, InstantSource clock, Starter starter, DoubleSupplier random) {

  /**
   * Starts the threads of an engine.
   *
   * @param factory creates the workers, if the default threads do not suffice
   */
  public Environment start(String name, int workers, Optional<ThreadFactory> factory) {
    return new Environment(ticker, clock, starter.start(name, workers, factory), random);
  }

  /** Starts an engine's threads. */
  @FunctionalInterface
  public interface Starter {
    Threads start(String name, int workers, Optional<ThreadFactory> factory);
  }

  /** Creates the platform of this machine, with its monotonic clock or another one. */
  public static Platform with(Ticker ticker) {
    return new Platform(
        ticker,
        SystemTime.INSTANCE,
        Threads::start,
        () -> ThreadLocalRandom.current().nextDouble());
  }
}
