package io.hapax.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that start together. */
final class ConcurrentRun {

  static final long PATIENCE_SECONDS = 180;

  private ConcurrentRun() {}

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
        results.add(patiently(future));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Whoever is waited for in vain, what all threads are at says why. */
  private static <R> R patiently(Future<R> future) throws Exception {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      StringBuilder stacks = new StringBuilder();
      for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
        stacks.append(thread);
      }
      throw new AssertionError(
          "not done after " + PATIENCE_SECONDS + " seconds, while the threads were at\n" + stacks,
          e);
    }
  }

  /** Waits for a latch, but not for ever. */
  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("nothing came in " + PATIENCE_SECONDS + " seconds");
    }
  }
}
