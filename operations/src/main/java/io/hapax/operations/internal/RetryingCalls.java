package io.hapax.operations.internal;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Retries calls of tools, so that an audit of hours survives a failover of its store or its broker.
 * There are up to four calls, with waits of 0.5, 1 and 2 s. For reads, and for claims and
 * settlements, which may be sent again with the same nonce. It is for tools only, because the
 * calling thread sleeps.
 */
public final class RetryingCalls {

  private static final Retry OF_STORES =
      when("hapax-tool-calls", failure -> failure instanceof StoreException);

  private RetryingCalls() {}

  /** Returns a retry of calls whose failures pass by themselves. */
  public static Retry when(String name, Predicate<Throwable> passes) {
    return Retry.of(
        name,
        RetryConfig.custom()
            .maxAttempts(4)
            .intervalFunction(IntervalFunction.ofExponentialBackoff(Duration.ofMillis(500), 2.0))
            .retryOnException(passes)
            .build());
  }

  /**
   * {@return the answer of a store that is called up to four times}
   *
   * @throws StoreException if the last call failed, or if the thread was interrupted; the interrupt
   *     flag is set then
   */
  public static <T> T of(Supplier<T> call) {
    return OF_STORES.executeSupplier(call);
  }
}
