package io.hapax.internal.runtime;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the threads of a pool, and replaces a thread that an error has ended. */
final class PoolThreads implements ThreadFactory, Thread.UncaughtExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(PoolThreads.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  static {
    LockSupport.parkNanos(0); // links the call now: linking it after an OutOfMemoryError would fail
  }

  private final ThreadFactory factory;

  /** The pool whose queue always needs a thread; null if each task starts its own thread. */
  private volatile @Nullable ThreadPoolExecutor pool;

  PoolThreads(String prefix) {
    AtomicInteger count = new AtomicInteger();
    this.factory = task -> {
      Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  PoolThreads(ThreadFactory factory) {
    this.factory = factory;
  }

  /** Sets the pool, before its first task. */
  void serve(ThreadPoolExecutor served) {
    pool = served;
  }

  /**
   * Creates a thread. If the factory throws, returns null while the pool has other threads: the
   * pool queues the task for them then.
   */
  @Override
  public @Nullable Thread newThread(Runnable task) {
    Thread thread;
    try {
      thread = factory.newThread(task);
    } catch (RuntimeException e) {
      ThreadPoolExecutor mine = pool;
      if (mine == null || mine.getPoolSize() == 0) {
        throw e;
      }
      return null;
    }
    thread.setUncaughtExceptionHandler(this);
    return thread;
  }

  /** Replaces the thread; runs on the dying thread until memory allows another one. */
  @Override
  public void uncaughtException(Thread thread, Throwable error) {
    boolean replaced = false;
    while (!replaced) {
      try {
        ThreadPoolExecutor mine = pool;
        var unused = mine != null && mine.prestartCoreThread();
        replaced = true;
        LOG.error("An error ended {}", thread.getName(), Descriptions.loggable(error));
      } catch (RuntimeException | OutOfMemoryError noThread) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
