package io.hapax.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Runs tasks on threads that start at the same time. */
final class ConcurrentRun {

  static final long TIMEOUT_SECONDS = 180;

  private ConcurrentRun() {}

  /** Runs a task for each number below the limit, all at once. */
  static <R> List<R> atOnce(int limit, IntFunction<Callable<R>> task) throws Exception {
    return atOnce(IntStream.range(0, limit).mapToObj(task).toList());
  }

  /**
   * Runs all tasks concurrently and returns their results in order. The first failure ends the run,
   * because other tasks may wait for the failed one.
   */
  static <R> List<R> atOnce(List<Callable<R>> tasks) throws Exception {
    List<Thread> threads = new CopyOnWriteArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(tasks.size(), task -> {
      Thread thread = new Thread(task);
      threads.add(thread);
      return thread;
    });
    try {
      CompletionService<R> ended = new ExecutorCompletionService<>(pool);
      CountDownLatch ready = new CountDownLatch(tasks.size());
      List<Future<R>> running = new ArrayList<>();
      for (Callable<R> task : tasks) {
        running.add(ended.submit(() -> {
          ready.countDown();
          await(ready);
          return task.call();
        }));
      }
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
      for (int left = tasks.size(); left > 0; left--) {
        Future<R> next = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (next == null) {
          throw new AssertionError(left + " of " + tasks.size() + " tasks not finished after "
              + TIMEOUT_SECONDS + " s:\n" + stacks(threads));
        }
        next.get();
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : running) {
        results.add(future.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  private static String stacks(List<Thread> threads) {
    StringBuilder stacks = new StringBuilder();
    for (Thread thread : threads) {
      stacks.append(thread).append(' ').append(thread.getState()).append('\n');
      for (StackTraceElement frame : thread.getStackTrace()) {
        stacks.append("  at ").append(frame).append('\n');
      }
    }
    return stacks.toString();
  }

  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("no signal within " + TIMEOUT_SECONDS + " seconds");
    }
  }
}
