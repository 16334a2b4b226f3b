package io.hapax.internal.runtime;

import io.github.resilience4j.core.IntervalFunction;
import io.hapax.InProcessRetry;
import io.hapax.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;

/** How long to wait after the n-th failure. */
public final class Backoff {

  private final IntervalFunction interval;
  private final DoubleSupplier factor;
  private final long longestMillis;

  private Backoff(IntervalFunction interval, DoubleSupplier factor, long longestMillis) {
    this.interval = interval;
    this.factor = factor;
    this.longestMillis = longestMillis;
  }

  /** Between the attempts of a message; exact, so that an operator can predict it. */
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
   * Between calls to a store that fails; random, so that many consumers do not come back at once.
   */
  public static Backoff ofStoreCalls(DoubleSupplier dice) {
    return new Backoff(
        IntervalFunction.ofExponentialBackoff(Duration.ofMillis(20), 2.0, Duration.ofSeconds(1)),
        () -> 0.5 + dice.getAsDouble(),
        Long.MAX_VALUE);
  }

  /** After others were in the way: short, and random for the same reason. */
  public static Duration ofContention(DoubleSupplier dice) {
    return Duration.ofMillis(10 + (long) (90 * dice.getAsDouble()));
  }

  /** Between the calls of one attempt; random, so that many messages do not come back at once. */
  public static Backoff ofEncores(InProcessRetry settings, DoubleSupplier dice) {
    return new Backoff(
        IntervalFunction.ofExponentialBackoff(settings.firstWait(), 2.0, settings.maxWait()),
        () -> 0.5 + dice.getAsDouble(),
        settings.maxWait().toMillis());
  }

  public Duration after(int failures) {
    long exact = interval.apply(Math.max(1, failures));
    return Duration.ofMillis(Math.min(longestMillis, (long) (exact * factor.getAsDouble())));
  }
}
