package io.hapax.internal;

import io.github.resilience4j.core.IntervalFunction;
import io.hapax.InProcessRetry;
import io.hapax.RetrySettings;
import java.time.Duration;

/** How long to wait after the n-th failure. */
final class Backoff {

  private final IntervalFunction interval;

  private Backoff(IntervalFunction interval) {
    this.interval = interval;
  }

  /** Between the attempts of a message; exact, so that an operator can predict it. */
  static Backoff ofRetries(RetrySettings settings) {
    return new Backoff(
        IntervalFunction.ofExponentialBackoff(settings.firstBackoff(), 2.0, settings.maxBackoff()));
  }

  /**
   * Between calls to a store that fails; random, so that many consumers do not come back at once.
   */
  static Backoff ofStoreCalls() {
    return new Backoff(IntervalFunction.ofExponentialRandomBackoff(
        Duration.ofMillis(20), 2.0, 0.5, Duration.ofSeconds(1)));
  }

  /**
   * Between the calls of one attempt; random, so that many messages do not come back at once. The
   * bound is kept here: what is random may lie above the function's own.
   */
  static Backoff ofEncores(InProcessRetry settings) {
    long bound = settings.maxWait().toMillis();
    IntervalFunction random =
        IntervalFunction.ofExponentialRandomBackoff(settings.firstWait(), 2.0, 0.5);
    return new Backoff(calls -> Math.min(bound, random.apply(calls)));
  }

  Duration after(int failures) {
    return Duration.ofMillis(interval.apply(Math.max(1, failures)));
  }
}
