package io.hapax.spring.web;

import io.hapax.IdempotentExecutor;

/**
 * The executor of requests. It is not the executor of jobs, because a handler may use that one, and
 * calls of one executor must not be nested. Thread-safe.
 */
public final class RequestExecutor implements AutoCloseable {

  private final IdempotentExecutor executor;

  public RequestExecutor(IdempotentExecutor executor) {
    this.executor = executor;
  }

  public IdempotentExecutor executor() {
    return executor;
  }

  @Override
  public void close() {
    executor.close();
  }
}
