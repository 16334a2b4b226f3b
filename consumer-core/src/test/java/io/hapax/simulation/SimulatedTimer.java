package io.hapax.simulation;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The timer of one process. */
final class SimulatedTimer extends SimulatedExecutor implements ScheduledExecutorService {

  /** Something that happens later, unless it is cancelled. */
  private static final class Alarm extends FutureTask<Void> implements ScheduledFuture<Void> {

    Alarm(Runnable task) {
      super(task, null);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException("nobody asks");
    }
  }

  SimulatedTimer(VirtualTime time, Life life, Dice dice) {
    super(time, life, dice, 1);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    if (isShutdown()) {
      throw new RejectedExecutionException("shut down");
    }
    Alarm alarm = new Alarm(command);
    time.after(Duration.ofNanos(unit.toNanos(delay)), life, alarm);
    return alarm;
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return schedule(
        () -> {
          command.run();
          var unused = scheduleWithFixedDelay(command, delay, delay, unit);
        },
        initialDelay,
        unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("the engine does not use it");
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException("the engine does not use it");
  }
}
