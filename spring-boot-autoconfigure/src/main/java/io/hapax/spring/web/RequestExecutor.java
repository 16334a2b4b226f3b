package io.hapax.spring.web;

import io.hapax.IdempotentExecutor;

/** Not the executor of jobs: a handler may use that one, and calls must not be nested. */
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
