package io.hapax.internal.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs the tasks of an engine's parts on the thread of the test, in the order in which they were
 * submitted. Its clock moves only when the test advances it.
 */
public final class ManualThreads extends UnthreadedExecutor
    implements ScheduledExecutorService, Ticker {

  private final class Alarm<V> extends FutureTask<V> implements ScheduledFuture<V> {

    private final long dueNanos;

    Alarm(Callable<V> task, long dueNanos) {
      super(task);
      this.dueNanos = dueNanos;
    }

    long dueNanos() {
      return dueNanos;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }

  private final Queue<Runnable> ready = new ArrayDeque<>();
  private final PriorityQueue<Alarm<?>> alarms = new PriorityQueue<>();
  private long nanos;

  /** Returns an environment whose clock, threads and random numbers are these. */
  public Environment env() {
    return new Environment(this, () -> Instant.EPOCH.plusNanos(nanos), threads(), () -> 0.5);
  }

  public Threads threads() {
    return new Threads(this, this, this);
  }

  /** Runs the tasks that wait, and those that they submit. */
  public void run() {
    for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
      next.run();
    }
  }

  /** Moves the clock, and runs everything that becomes due on the way. */
  public void advance(Duration by) {
    run();
    long end = nanos + by.toNanos();
    for (Alarm<?> next = alarms.peek();
        next != null && next.dueNanos() <= end;
        next = alarms.peek()) {
      alarms.remove();
      nanos = next.dueNanos();
      next.run();
      run();
    }
    nanos = end;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public void execute(Runnable task) {
    ready.add(task);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return schedule(Executors.callable(command), delay, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    Alarm<V> alarm = new Alarm<>(callable, nanos + unit.toNanos(delay));
    alarms.add(alarm);
    return alarm;
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    Runnable andAgain = () -> {
      command.run();
      var unused = scheduleWithFixedDelay(command, delay, delay, unit);
    };
    return schedule(andAgain, initialDelay, unit);
  }

  /** Equals the fixed delay, because no time passes while a task runs. */
  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return scheduleWithFixedDelay(command, initialDelay, period, unit);
  }
}
