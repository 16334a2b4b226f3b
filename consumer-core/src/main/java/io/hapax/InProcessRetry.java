package io.hapax;

import io.hapax.errors.NotAppliedException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * How a handler is called again at once, for trouble that is over in a moment: under the same
 * claim, with the same token and attempt number, without a call to the store. In leased mode only.
 *
 * <p>Only what is known not to have taken effect is called again: the handler must have thrown a
 * {@link NotAppliedException}. After any other error nobody knows whether the gateway has charged,
 * and a second call would charge again; so it is left to the next attempt, where the
 * {@link UnknownOutcomePolicy} speaks. A message in doubt from an earlier attempt is not called
 * again either.
 *
 * <p>All calls together are one attempt: the store has counted it before the first, and a process
 * that dies in between has lost one claim, whose effect is then in doubt like any other's. When the
 * retries are used up that attempt has failed, and {@link RetrySettings} say when the next one
 * follows. Meanwhile no thread waits, the lease is renewed, and the lane keeps its order. A message
 * that is given up while it waits, because its partition is revoked or the receiver is closed, has
 * failed in this attempt and may be claimed again at once.
 *
 * @param maxRetries how often it is called again after the first call; 1 to 100
 * @param firstWait the wait before the first retry; at least 1 ms
 * @param maxWait the longest wait; each is twice the one before, made shorter or longer by up to a
 *     half at random, and never longer than this. At most {@link LeaseSettings#margin()}
 * @param transientErrors which errors are over in a moment; asked with what the handler threw, on a
 *     worker thread. If it throws, the error is not
 */
public record InProcessRetry(
    int maxRetries, Duration firstWait, Duration maxWait, Predicate<Throwable> transientErrors) {

  private static final int MOST = 100;

  /**
   * Checks the rules above.
   *
   * @param maxRetries 1 to 100
   * @param firstWait at least 1 ms
   * @param maxWait not less than the first
   * @param transientErrors not null
   */
  public InProcessRetry {
    if (maxRetries < 1 || maxRetries > MOST) {
      throw new IllegalArgumentException(
          "maxRetries is " + maxRetries + " but must be 1 to " + MOST);
    }
    if (firstWait.toMillis() < 1) {
      throw new IllegalArgumentException(
          "firstWait is " + firstWait + " but must be at least 1 ms");
    }
    if (maxWait.compareTo(firstWait) < 0) {
      throw new IllegalArgumentException(
          "maxWait is " + maxWait + " but must not be less than firstWait " + firstWait);
    }
    Objects.requireNonNull(transientErrors, "transientErrors");
  }

  /**
   * For every error that says that nothing has happened.
   *
   * @param maxRetries how often it is called again after the first call
   * @param firstWait the wait before the first retry
   * @param maxWait the longest wait
   * @return the settings
   */
  public static InProcessRetry of(int maxRetries, Duration firstWait, Duration maxWait) {
    return new InProcessRetry(maxRetries, firstWait, maxWait, error -> true);
  }

  /**
   * Checks that no wait outlives what is kept of the lease for a handler to start.
   *
   * @param lease how long claims live
   * @throws IllegalArgumentException if the longest wait is longer than the margin
   */
  public void fitInto(LeaseSettings lease) {
    if (maxWait.compareTo(lease.margin()) > 0) {
      throw new IllegalArgumentException("maxWait of inProcessRetry is " + maxWait
          + " but must not be more than the margin of lease, which is " + lease.margin());
    }
  }
}
