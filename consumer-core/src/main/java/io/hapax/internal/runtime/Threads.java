package io.hapax.internal.runtime;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a receiver's tasks: handlers on workers and store calls on callers. The timer only passes
 * delayed tasks to them.
 */
public record Threads(
    ExecutorService workers, ExecutorService callers, ScheduledExecutorService timer) {

  private static final long NO_THREAD_PAUSE_MILLIS = 100;
  private static final long NO_THREAD_PAUSE_NANOS = MILLISECONDS.toNanos(NO_THREAD_PAUSE_MILLIS);

  static {
    pause(0); // links the call now: linking it after an OutOfMemoryError would fail
  }

  /** Starts the threads of a receiver, and the first worker if a factory of the user creates it. */
  public static Threads start(String name, int workers, Optional<ThreadFactory> factory) {
    return new Threads(
        factory
            .map(it -> workersOf(workers, it))
            .orElseGet(() -> workers(workers, new PoolThreads("hapax-worker-" + name))),
        Executors.newCachedThreadPool(new PoolThreads("hapax-store-" + name)),
        timer(new PoolThreads("hapax-timer-" + name)));
  }

  private static ExecutorService workersOf(int count, ThreadFactory factory) {
    ThreadPoolExecutor workers = workers(count, new PoolThreads(factory));
    var unused = workers.prestartCoreThread(); // throws if the factory does
    return workers;
  }

  private static ThreadPoolExecutor workers(int count, PoolThreads threads) {
    ThreadPoolExecutor workers = new ThreadPoolExecutor(
        count, count, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), threads);
    threads.serve(workers);
    return workers;
  }

  /** Creates a timer that removes cancelled tasks, because an alarm references its messages. */
  private static ScheduledExecutorService timer(PoolThreads threads) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads);
    timer.setRemoveOnCancelPolicy(true);
    threads.serve(timer);
    return timer;
  }

  private static void pause(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  public boolean closed() {
    return timer.isShutdown();
  }

  /** Waits for memory; returns false once the receiver is closed, which finishes all messages. */
  public boolean pauseForMemory() {
    pause(NO_THREAD_PAUSE_NANOS);
    return !closed();
  }

  /**
   * Repeats a necessary step while it throws. It stays on this thread: after an OutOfMemoryError,
   * passing it to another thread would fail too. The caller allocates the step before it is needed.
   */
  public void untilItSucceeds(Runnable step) {
    while (true) {
      try {
        step.run();
        return;
      } catch (RuntimeException | Error e) {
        if (!pauseForMemory()) {
          return;
        }
      }
    }
  }

  /** Runs a store call after a delay, unless the receiver is closed by then. */
  public void callLater(Runnable call, long delayMillis) {
    Runnable once = once(call);
    while (!postponed(callers, once, delayMillis) && !timer.isShutdown()) {
      pause(NO_THREAD_PAUSE_NANOS);
    }
  }

  public void call(Runnable call) {
    execute(callers, call);
  }

  /**
   * Runs a task on a caller after a time, however long, unless the returned action cancels it
   * first.
   */
  public Runnable alarm(Runnable task, Duration time) {
    try {
      ScheduledFuture<?> alarm =
          timer.schedule(() -> call(task), NANOSECONDS.convert(time), NANOSECONDS);
      return () -> alarm.cancel(false);
    } catch (RejectedExecutionException closed) {
      return () -> {}; // closing interrupts the running calls
    }
  }

  /** Passes on a task without throwing: the messages of a lost task would never finish. */
  public void execute(Executor executor, Runnable task) {
    handOver(executor, once(task));
  }

  private void handOver(Executor executor, Runnable task) {
    while (!offered(executor, task) && !timer.isShutdown()) {
      pause(NO_THREAD_PAUSE_NANOS);
    }
  }

  /** Wraps a task; waits for memory until the receiver is closed. */
  private Runnable once(Runnable task) {
    while (true) {
      try {
        return new Once(task);
      } catch (OutOfMemoryError e) {
        if (timer.isShutdown()) {
          return task;
        }
        pause(NO_THREAD_PAUSE_NANOS);
      }
    }
  }

  /** Runs a task once. An executor may have queued it before it throws an OutOfMemoryError. */
  private static final class Once implements Runnable {

    private final Runnable task;
    private boolean begun;

    Once(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (begin()) {
        task.run();
      }
    }

    private synchronized boolean begin() {
      boolean first = !begun;
      begun = true;
      return first;
    }
  }

  /** Passes a task to an executor, or retries shortly if no thread can be created. */
  private boolean offered(Executor executor, Runnable task) {
    try {
      executor.execute(task);
      return true;
    } catch (RejectedExecutionException closed) {
      return true; // see postponed
    } catch (RuntimeException | OutOfMemoryError noThread) {
      return postponed(executor, task, NO_THREAD_PAUSE_MILLIS);
    }
  }

  private boolean postponed(Executor executor, Runnable task, long delayMillis) {
    try {
      var unused = timer.schedule(() -> handOver(executor, task), delayMillis, MILLISECONDS);
      return true;
    } catch (RejectedExecutionException closed) {
      return true; // the receiver is closed: the leases of unsettled claims expire
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Stops taking tasks. Does not interrupt running tasks, which may be calls to the store. */
  public void stop() {
    timer.shutdownNow();
    workers.shutdown();
    callers.shutdown();
  }
}
