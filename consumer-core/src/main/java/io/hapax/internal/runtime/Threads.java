package io.hapax.internal.runtime;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A receiver's threads: workers run handlers, callers talk to the store, the timer only hands over.
 */
public record Threads(
    ExecutorService workers, ExecutorService callers, ScheduledExecutorService timer) {

  private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

  private static final long NO_THREAD_PAUSE_MILLIS = 100;
  private static final long NO_THREAD_PAUSE_NANOS = MILLISECONDS.toNanos(NO_THREAD_PAUSE_MILLIS);

  static {
    pause(0); // the JVM links a call when it is first made, for which memory may be used up later
  }

  public static Threads start(String name, int workers) {
    return new Threads(
        workers(workers, new Named("hapax-worker-" + name)),
        Executors.newCachedThreadPool(new Named("hapax-store-" + name)),
        timer(new Named("hapax-timer-" + name)));
  }

  private static ExecutorService workers(int count, Named threads) {
    ThreadPoolExecutor workers = new ThreadPoolExecutor(
        count, count, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), threads);
    threads.pool = workers;
    return workers;
  }

  /** Forgets what is cancelled: the alarm of a handler that was in time holds its messages. */
  private static ScheduledExecutorService timer(Named threads) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads);
    timer.setRemoveOnCancelPolicy(true);
    threads.pool = timer;
    return timer;
  }

  /** Creates the threads of a pool, and replaces one that an error ended. */
  private static final class Named implements ThreadFactory, Thread.UncaughtExceptionHandler {

    private final AtomicInteger count = new AtomicInteger();
    private final String prefix;

    /** The pool whose queue must never be without a thread; null if each task starts its own. */
    private volatile @Nullable ThreadPoolExecutor pool;

    Named(String prefix) {
      this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
      Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler(this);
      return thread;
    }

    /** Runs on the dying thread, which stays until memory allows another one. */
    @Override
    public void uncaughtException(Thread thread, Throwable error) {
      boolean replaced = false;
      while (!replaced) {
        try {
          ThreadPoolExecutor mine = pool;
          var unused = mine != null && mine.prestartCoreThread();
          replaced = true;
          LOG.error("An error ended {}", thread.getName(), Descriptions.loggable(error));
        } catch (OutOfMemoryError e) {
          pause(NO_THREAD_PAUSE_NANOS);
        }
      }
    }
  }

  private static void pause(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  /** Returns whether the receiver is closed. */
  public boolean closed() {
    return timer.isShutdown();
  }

  /** Waits for memory; false once the receiver is closed, which gives every message its outcome. */
  public boolean pauseForMemory() {
    pause(NO_THREAD_PAUSE_NANOS);
    return !closed();
  }

  /**
   * Runs a step that must not be left out, again while it throws. It stays on this thread: where
   * memory is used up, handing it to another thread would fail too. The caller allocates the step
   * before it is needed.
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

  /** Runs a store call after a pause; if the receiver is closed by then it is not run. */
  public void callLater(Runnable call, long delayMillis) {
    Runnable once = once(call);
    while (!postponed(callers, once, delayMillis) && !timer.isShutdown()) {
      pause(NO_THREAD_PAUSE_NANOS);
    }
  }

  public void call(Runnable call) {
    execute(callers, call);
  }

  public void work(Runnable task) {
    execute(workers, task);
  }

  /**
   * Runs something on a caller's thread after a time, however long, unless it is cancelled before.
   *
   * @return cancels it
   */
  public Runnable alarm(Runnable task, Duration time) {
    try {
      ScheduledFuture<?> alarm =
          timer.schedule(() -> call(task), NANOSECONDS.convert(time), NANOSECONDS);
      return () -> alarm.cancel(false);
    } catch (RejectedExecutionException closed) {
      return () -> {}; // closing interrupts what runs
    }
  }

  /** Does not throw: a task that is lost would hold its messages for ever. */
  private void execute(Executor executor, Runnable task) {
    handOver(executor, once(task));
  }

  private void handOver(Executor executor, Runnable task) {
    while (!offered(executor, task) && !timer.isShutdown()) {
      pause(NO_THREAD_PAUSE_NANOS);
    }
  }

  /** Waits for memory, until the receiver is closed. */
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

  /** Runs a task once. An executor that finds no memory may have queued it before it throws. */
  private static final class Once implements Runnable {

    private final Runnable task;
    private boolean begun;

    Once(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (begins()) {
        task.run();
      }
    }

    private synchronized boolean begins() {
      boolean first = !begun;
      begun = true;
      return first;
    }
  }

  /** Hands a task over, now or, if there is no thread for it, in a moment. */
  private boolean offered(Executor executor, Runnable task) {
    try {
      executor.execute(task);
      return true;
    } catch (RejectedExecutionException closed) {
      return true; // see postponed
    } catch (OutOfMemoryError noThread) {
      return postponed(executor, task, NO_THREAD_PAUSE_MILLIS);
    }
  }

  private boolean postponed(Executor executor, Runnable task, long delayMillis) {
    try {
      var unused = timer.schedule(() -> handOver(executor, task), delayMillis, MILLISECONDS);
      return true;
    } catch (RejectedExecutionException closed) {
      return true; // The receiver is closed: what is not settled runs out by its lease.
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** Takes nothing more; what runs is not interrupted, because it may be a call to the store. */
  public void stop() {
    timer.shutdownNow();
    workers.shutdown();
    callers.shutdown();
  }
}
