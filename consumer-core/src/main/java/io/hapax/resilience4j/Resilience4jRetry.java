package io.hapax.resilience4j;

import io.github.resilience4j.core.IntervalBiFunction;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.RetryConfig;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Converts the settings of a resilience4j {@code Retry} that an application already has, for
 * example in its registry. Hapax uses only the numbers and waits itself: a {@code Retry} blocks its
 * thread, and its count of attempts would not survive a crash.
 */
public final class Resilience4jRetry {

  /** The largest number of waits; later ones are as long as the last of these. */
  private static final int MOST_WAITS = 1_000;

  private Resilience4jRetry() {}

  /**
   * {@return settings for {@link ReceiverBuilder#retry} with the number of attempts and the
   * intervals of a config} This method calls the interval function once for each attempt. So random
   * intervals are the same for all messages, and an {@code intervalBiFunction} receives an
   * {@link IllegalStateException} instead of the handler's exception. {@link #notRetryable}
   * converts the config's rules for exceptions.
   *
   * @param config the config
   * @throws IllegalArgumentException if the config retries on results, which handlers do not have
   *     here, or an interval is not positive
   */
  public static RetrySettings from(RetryConfig config) {
    if (config.getResultPredicate() != null) {
      throw new IllegalArgumentException(
          "retryOnResult is set but must not be: a handler fails by an exception");
    }
    IntervalBiFunction<Object> intervals = config.getIntervalBiFunction();
    Either<Throwable, Object> failure = Either.left(new IllegalStateException("a failed attempt"));
    List<Duration> waits = IntStream.rangeClosed(1, Math.max(1, config.getMaxAttempts() - 1))
        .limit(MOST_WAITS)
        .mapToObj(failures -> Duration.ofMillis(intervals.apply(failures, failure)))
        .toList();
    return RetrySettings.of(config.getMaxAttempts(), waits);
  }

  /**
   * {@return a predicate for {@link ReceiverBuilder#notRetryable}: it selects the exceptions that a
   * config does not retry ({@code retryExceptions}, {@code ignoreExceptions},
   * {@code retryOnException})}
   *
   * @param config the config
   */
  public static Predicate<Throwable> notRetryable(RetryConfig config) {
    return config.getExceptionPredicate().negate();
  }
}
