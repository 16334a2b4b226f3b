package io.hapax.internal.runtime;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** An executor without threads of its own: what a shutdown means for it. */
public abstract class UnthreadedExecutor extends AbstractExecutorService {

  private boolean shutdown;

  @Override
  public final void shutdown() {
    shutdown = true;
  }

  @Override
  public final List<Runnable> shutdownNow() {
    shutdown = true;
    return List.of();
  }

  @Override
  public final boolean isShutdown() {
    return shutdown;
  }

  @Override
  public final boolean isTerminated() {
    return shutdown;
  }

  @Override
  public final boolean awaitTermination(long timeout, TimeUnit unit) {
    return shutdown;
  }
}
