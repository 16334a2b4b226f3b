package io.hapax;

import io.hapax.errors.DeferredException;
import io.hapax.errors.NotAppliedException;
import io.hapax.setting.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Retries of a handler within one attempt, for short errors: under the same claim, with the same
 * token and attempt number, without a call to the store. In leased mode only.
 *
 * <p>A call is repeated only if its effect is known not to have happened: the handler must have
 * thrown a {@link NotAppliedException} other than a {@link DeferredException}. After any other
 * error the effect may have happened, and a second call could repeat it; so the next attempt
 * follows, with the {@link UnknownOutcomePolicy}. The call for a message that was in doubt before
 * is not repeated either.
 *
 * <p>All calls together are one attempt. The store has counted it before the first call, and a
 * process that dies during the retries has lost one claim. When the retries are used up, the
 * attempt has failed, and {@link RetrySettings} decide when the next one follows. During a wait no
 * thread is blocked, the lease is renewed, and the lane keeps its order. If the partition is
 * revoked or the receiver is closed during a wait, the attempt has failed and the message may be
 * claimed again at once.
 *
 * @param maxRetries how often the handler is called again after the first call; 1 to 100
 * @param firstWait the wait before the first retry; at least 1 ms
 * @param maxWait the longest wait; each is twice the one before, with a random deviation of up to a
 *     half, and never longer than this. At most {@link LeaseSettings#margin()}
 * @param transientErrors selects the errors to retry; called on the handler's thread with its
 *     exception. If it throws, the error is not retried
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
    Durations.notNegative("maxWait", maxWait);
    if (firstWait.compareTo(Duration.ofMillis(1)) < 0) {
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
   * Makes settings that retry every {@link NotAppliedException}.
   *
   * @param maxRetries how often the handler is called again after the first call
   * @param firstWait the wait before the first retry
   * @param maxWait the longest wait
   * @return the settings
   */
  public static InProcessRetry of(int maxRetries, Duration firstWait, Duration maxWait) {
    return new InProcessRetry(maxRetries, firstWait, maxWait, error -> true);
  }

  /**
   * Checks that no wait is longer than the margin of the lease.
   *
   * @param lease the lease settings
   * @throws IllegalArgumentException if the longest wait is longer than the margin
   */
  public void fitInto(LeaseSettings lease) {
    if (maxWait.compareTo(lease.margin()) > 0) {
      throw new IllegalArgumentException("maxWait of inProcessRetry is " + maxWait
          + " but must not be more than the margin of lease, which is " + lease.margin());
    }
  }
}
