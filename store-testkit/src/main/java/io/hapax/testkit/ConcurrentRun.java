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

/** Runs tasks on threads that start at the same time. */
final class ConcurrentRun {

  static final long TIMEOUT_SECONDS = 180;

  private ConcurrentRun() {}

  /** Runs all tasks at once and returns their results in order. */
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
        results.add(result(future));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  /** Waits for a result; on a timeout, the error shows the stacks of all threads. */
  private static <R> R result(Future<R> future) throws Exception {
    try {
      return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      StringBuilder stacks = new StringBuilder();
      for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true)) {
        stacks.append(thread);
      }
      throw new AssertionError(
          "not finished after " + TIMEOUT_SECONDS + " seconds; the threads:\n" + stacks, e);
    }
  }

  /** Waits for a latch, with a timeout. */
  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("no signal within " + TIMEOUT_SECONDS + " seconds");
    }
  }
}
