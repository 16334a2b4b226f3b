package io.hapax.internal.runtime;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * What an engine takes from the machine that it runs on, and everything that makes two runs of it
 * differ: a simulation hands in its own.
 *
 * @param ticker the monotonic clock
 * @param clock tells the date, for texts and health only
 * @param starter starts the threads
 * @param dice 0.0 to 1.0, for pauses that are not to be the same in all processes; thread-safe
 */
public record Platform(Ticker ticker, InstantSource clock, Starter starter, DoubleSupplier dice) {

  /** Starts the threads of an engine. */
  public Environment start(String name, int workers) {
    return new Environment(ticker, clock, starter.start(name, workers), dice);
  }

  /** Starts an engine's threads. */
  @FunctionalInterface
  public interface Starter {
    Threads start(String name, int workers);
  }

  /** The machine itself, with its own clock or another. */
  public static Platform with(Ticker ticker) {
    return new Platform(
        ticker,
        SystemTime.INSTANCE,
        Threads::start,
        () -> ThreadLocalRandom.current().nextDouble());
  }
}
