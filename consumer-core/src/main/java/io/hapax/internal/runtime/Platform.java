package io.hapax.internal.runtime;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * Provides all that is not deterministic: clocks, threads and random numbers. A simulation replaces
 * it. The date and time are for texts only.
 */
public record Platform(Ticker ticker, InstantSource clock, Starter starter) {

  /**
   * Starts the threads of an engine. The factory creates the workers, if the default threads do not
   * suffice.
   */
  @FunctionalInterface
  public interface Starter {
    Environment start(Ticker ticker, String name, int workers, Optional<ThreadFactory> factory);
  }

  public static Platform ofThisMachine() {
    return with(SystemTime.INSTANCE);
  }

  public static Platform with(Ticker ticker) {
    return new Platform(ticker, SystemTime.INSTANCE, Environment::start);
  }
}
