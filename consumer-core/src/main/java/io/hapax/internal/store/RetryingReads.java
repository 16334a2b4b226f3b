package io.hapax.internal.store;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Repeats the reads of tools, so that an audit of hours outlives a failover of its store: four
 * calls with waits of 0.5, 1 and 2 s. Only for reads, which change nothing, and only for tools: the
 * calling thread sleeps.
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
   * Reads.
   *
   * @param read the call to the store
   * @param <T> its answer
   * @return the answer
   * @throws StoreException if the last of the calls failed, or the thread was interrupted, whose
   *     flag is set then
   */
  public static <T> T of(Supplier<T> read) {
    return RETRY.executeSupplier(read);
  }
}
