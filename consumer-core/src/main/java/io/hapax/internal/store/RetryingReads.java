package io.hapax.internal.store;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Retries the reads of tools, so that an audit of hours survives a failover of its store. A read
 * has four calls with waits of 0.5, 1 and 2 s. It is for tools only, because the calling thread
 * sleeps.
 */
public final class RetryingReads {

  private static final Retry RETRY = Retry.of(
      "hapax-tool-reads",
      RetryConfig.custom()
          .maxAttempts(4)
          .intervalFunction(IntervalFunction.ofExponentialBackoff(Duration.ofMillis(500), 2.0))
          .retryExceptions(StoreException.class)
          .build());

  private RetryingReads() {}

  /**
   * Calls a read, up to four times.
   *
   * @param read the call to the store
   * @param <T> the type of its answer
   * @return the answer
   * @throws StoreException if the last call failed, or if the thread was interrupted; the interrupt
   *     flag is set then
   */
  public static <T> T of(Supplier<T> read) {
    return RETRY.executeSupplier(read);
  }
}
