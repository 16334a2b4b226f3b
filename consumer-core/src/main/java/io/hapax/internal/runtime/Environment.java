package io.hapax.internal.runtime;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * Runs the tasks of one receiver: handlers on workers and store calls on callers. The timer only
 * passes delayed tasks to them. Whatever a task throws ends the receiver: see {@link FailStop}. All
 * parts of the receiver share its clock and its random numbers, which are from 0.0 to 1.0, for
 * pauses that differ between processes.
 */
public record Environment(
    Ticker ticker,
    DoubleSupplier random,
    ExecutorService workers,
    ExecutorService callers,
    ScheduledExecutorService timer,
    FailStop failStop) {

  /** Starts the threads of a receiver, and the first worker if a factory of the user creates it. */
  static Environment start(
      Ticker ticker, String name, int workers, Optional<ThreadFactory> factory) {
    ThreadPoolExecutor pool = new ThreadPoolExecutor(
        workers,
        workers,
        0,
        NANOSECONDS,
        new LinkedBlockingQueue<>(),
        factory.orElseGet(() -> daemons("hapax-worker-" + name)));
    if (factory.isPresent()) {
      var unused = pool.prestartCoreThread(); // throws if the factory does
    }
    return new Environment(
        ticker,
        () -> ThreadLocalRandom.current().nextDouble(),
        pool,
        Executors.newCachedThreadPool(daemons("hapax-store-" + name)),
        timer(daemons("hapax-timer-" + name)),
        new FailStop(name));
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Creates a timer that removes cancelled tasks, because an alarm references its messages. */
  private static ScheduledExecutorService timer(ThreadFactory threads) {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads);
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  public long nanos() {
    return ticker.nanos();
  }

  public boolean closed() {
    return timer.isShutdown();
  }

  /** Runs a task on this thread. Does not throw. */
  public void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // an undeclared one, too
      if (!closed()) { // then executors refuse tasks, and leases expire
        failStop.stop(e);
      }
    }
  }

  /** Runs a task on an executor. Does not throw: without a thread the receiver has failed. */
  public void execute(Executor executor, Runnable task) {
    run(() -> executor.execute(() -> run(task)));
  }

  public void call(Runnable call) {
    execute(callers, call);
  }

  /** Runs a store call after a delay, unless the receiver is closed by then. */
  public void callLater(Runnable call, Duration pause) {
    var unused = alarm(call, pause);
  }

  /**
   * Runs a task on a caller after a time, however long, unless the returned action cancels it
   * first.
   */
  public Runnable alarm(Runnable task, Duration time) {
    List<Future<?>> scheduled = new ArrayList<>(1); // empty if the timer did not take it
    long nanos = NANOSECONDS.convert(time);
    run(() -> scheduled.add(timer.schedule(() -> call(task), nanos, NANOSECONDS)));
    return () -> scheduled.forEach(alarm -> alarm.cancel(false));
  }

  /** Stops taking tasks. Does not interrupt running tasks, which may be calls to the store. */
  public void stop() {
    timer.shutdownNow();
    workers.shutdown();
    callers.shutdown();
  }
}
