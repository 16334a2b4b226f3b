package io.hapax.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that start together. */
final class Crowd {

  static final long PATIENCE_SECONDS = 180;

  private Crowd() {}

  /** Runs all at once and gives what each answered, in their order. */
  static <R> List<R> atOnce(List<Callable<R>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      CountDownLatch ready = new CountDownLatch(tasks.size());
      List<Future<R>> running = new ArrayList<>();
      for (Callable<R> task : tasks) {
        running.add(threads.submit(() -> {
          ready.countDown();
          await(ready);
          return task.call();
        }));
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : running) {
        results.add(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Waits for a latch, but not for ever. */
  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("nothing came in " + PATIENCE_SECONDS + " seconds");
    }
  }
}
