package io.hapax.internal.runtime;

import io.github.resilience4j.core.IntervalFunction;
import io.hapax.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Computes the wait after a number of failures. */
public final class Backoff {

  private final IntervalFunction interval;
  private final DoubleSupplier factor;
  private final long maxMillis;

  private Backoff(IntervalFunction interval, DoubleSupplier factor, long maxMillis) {
    this.interval = interval;
    this.factor = factor;
    this.maxMillis = maxMillis;
  }

  /** Creates the backoff between attempts; exact, so that an operator can predict it. */
  public static Backoff ofRetries(RetrySettings settings) {
    return new Backoff(intervals(settings), () -> 1.0, settings.maxBackoff().toMillis());
  }

  private static IntervalFunction intervals(RetrySettings settings) {
    List<Duration> waits = settings.waits();
    return waits.isEmpty()
        ? IntervalFunction.ofExponentialBackoff(settings.firstBackoff(), 2.0, settings.maxBackoff())
        : failures -> waits.get(Math.min(failures, waits.size()) - 1).toMillis();
  }

  /**
   * Creates the backoff between calls to a store that fails; random, so that many consumers do not
   * call it at the same time.
   */
  public static Backoff ofStoreCalls(DoubleSupplier random) {
    return new Backoff(
        IntervalFunction.ofExponentialBackoff(Duration.ofMillis(20), 2.0, Duration.ofSeconds(1)),
        () -> 0.5 + random.getAsDouble(),
        Long.MAX_VALUE);
  }

  /** Returns the short, random wait after a conflict with concurrent transactions. */
  public static Duration ofContention(DoubleSupplier random) {
    return Duration.ofMillis(10 + (long) (90 * random.getAsDouble()));
  }

  public Duration after(int failures) {
    long exact = interval.apply(Math.max(1, failures));
    return Duration.ofMillis(Math.min(maxMillis, (long) (exact * factor.getAsDouble())));
  }
}
