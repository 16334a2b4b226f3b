package io.hapax;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that call the store, for an engine on a machine of the test's own. */
final class CountedCallers extends ThreadPoolExecutor {

  private final AtomicInteger underway = new AtomicInteger();

  CountedCallers() {
    super(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
  }

  /** Counts the task before its thread begins, so that none is missed. */
  @Override
  public void execute(Runnable task) {
    underway.incrementAndGet();
    super.execute(() -> {
      try {
        task.run();
      } finally {
        underway.decrementAndGet();
      }
    });
  }

  /** How many tasks were handed in and have not ended. */
  int underway() {
    return underway.get();
  }
}
