package io.hapax.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs tasks on threads that start at the same time. */
final class ConcurrentRun {

  static final long TIMEOUT_SECONDS = 180;

  private ConcurrentRun() {}

  /**
   * Runs all tasks concurrently and returns their results in order. The first failure ends the run,
   * because other tasks may wait for the failed one.
   */
  static <R> List<R> atOnce(List<Callable<R>> tasks) throws Exception {
    List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
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
      awaitAll(ended, tasks.size(), threads);
      List<R> results = new ArrayList<>();
      for (Future<R> future : running) {
        results.add(future.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  private static <R> void awaitAll(CompletionService<R> ended, int tasks, List<Thread> threads)
      throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    for (int task = 0; task < tasks; task++) {
      Future<R> next = ended.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new AssertionError((tasks - task) + " of " + tasks + " tasks not finished after "
            + TIMEOUT_SECONDS + " seconds:\n" + stacks(threads));
      }
      next.get();
    }
  }

  private static String stacks(List<Thread> threads) {
    StringBuilder stacks = new StringBuilder();
    for (Thread thread : List.copyOf(threads)) {
      stacks.append(thread.getName()).append(' ').append(thread.getState()).append('\n');
      for (StackTraceElement frame : thread.getStackTrace()) {
        stacks.append("  at ").append(frame).append('\n');
      }
    }
    return stacks.toString();
  }

  /** Waits for a latch, with a timeout. */
  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("no signal within " + TIMEOUT_SECONDS + " seconds");
    }
  }
}
