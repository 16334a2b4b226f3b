package io.hapax.internal.runtime;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Provides all that is not deterministic: clocks, threads and random numbers. A simulation replaces
 * it. See {@link Environment}.
 */
public record Platform(Ticker ticker, InstantSource clock, Starter starter, DoubleSupplier random) {

  /**
   * Starts the threads of an engine. The factory creates the workers, if the default threads do not
   * suffice.
   */
  public Environment start(String name, int workers, Optional<ThreadFactory> factory) {
    return new Environment(ticker, clock, starter.start(name, workers, factory), random);
  }

  @FunctionalInterface
  public interface Starter {
    Threads start(String name, int workers, Optional<ThreadFactory> factory);
  }

  public static Platform ofThisMachine() {
    return with(SystemTime.INSTANCE);
  }

  public static Platform with(Ticker ticker) {
    return new Platform(
        ticker,
        SystemTime.INSTANCE,
        Threads::start,
        () -> ThreadLocalRandom.current().nextDouble());
  }
}
