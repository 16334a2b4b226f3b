package io.hapax.internal;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A receiver's threads: workers run handlers, callers talk to the store, the timer only hands over.
 */
record Threads(ExecutorService workers, ExecutorService callers, ScheduledExecutorService timer) {

  private static final long NO_THREAD_PAUSE_MILLIS = 100;

  static Threads start(String name, int workers) {
    return new Threads(
        Executors.newFixedThreadPool(workers, named("hapax-worker-" + name)),
        Executors.newCachedThreadPool(named("hapax-store-" + name)),
        timer(named("hapax-timer-" + name)));
  }

  /** Forgets what is cancelled: the alarm of a handler that was in time holds its messages. */
  private static ScheduledExecutorService timer(ThreadFactory threads) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads);
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Runs a store call after a pause; if the receiver is closed by then it is not run. */
  void callLater(Runnable call, long delayMillis) {
    later(() -> call(call), delayMillis);
  }

  void call(Runnable call) {
    execute(callers, call);
  }

  void work(Runnable task) {
    execute(workers, task);
  }

  /**
   * Runs something on a caller's thread after a time, however long, unless it is cancelled before.
   *
   * @return cancels it
   */
  Runnable alarm(Runnable task, Duration time) {
    try {
      ScheduledFuture<?> alarm =
          timer.schedule(() -> call(task), NANOSECONDS.convert(time), NANOSECONDS);
      return () -> alarm.cancel(false);
    } catch (RejectedExecutionException closed) {
      return () -> {}; // closing interrupts what runs
    }
  }

  private void execute(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException closed) {
      // See later.
    } catch (OutOfMemoryError noThread) { // a task that is lost would hold its messages for ever
      later(() -> execute(executor, task), NO_THREAD_PAUSE_MILLIS);
    }
  }

  private void later(Runnable task, long delayMillis) {
    try {
      var unused = timer.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // The receiver is closed: what is not settled runs out by its lease.
    }
  }

  /** Takes nothing more; what runs is not interrupted, because it may be a call to the store. */
  void stop() {
    timer.shutdownNow();
    workers.shutdown();
    callers.shutdown();
  }
}
