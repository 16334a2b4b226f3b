package io.hapax.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A pool of threads of one process: so many tasks at once, the others in line. */
class SimulatedExecutor extends AbstractExecutorService {

  final VirtualTime time;
  final Life life;
  private final Dice dice;
  private final int width;
  private final Queue<Runnable> line = new ArrayDeque<>();
  private int running;
  private boolean shutdown;

  SimulatedExecutor(VirtualTime time, Life life, Dice dice, int width) {
    this.time = time;
    this.life = life;
    this.dice = dice;
    this.width = width;
  }

  @Override
  public void execute(Runnable task) {
    if (shutdown) {
      throw new RejectedExecutionException("shut down");
    }
    line.add(task);
    startMore();
  }

  private void startMore() {
    while (running < width && !line.isEmpty()) {
      running++;
      Runnable task = line.remove();
      time.after(untilItGetsAThread(), life, () -> run(task));
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } finally {
      running--;
      startMore();
    }
  }

  private Duration untilItGetsAThread() {
    if (dice.chance(0.7)) {
      return Duration.ZERO;
    }
    return dice.between(Duration.ZERO, Duration.ofMillis(dice.chance(0.9) ? 2 : 100));
  }

  @Override
  public final void shutdown() {
    shutdown = true;
  }

  @Override
  public final List<Runnable> shutdownNow() {
    shutdown = true;
    return List.of();
  }

  @Override
  public final boolean isShutdown() {
    return shutdown;
  }

  @Override
  public final boolean isTerminated() {
    return shutdown;
  }

  @Override
  public final boolean awaitTermination(long timeout, TimeUnit unit) {
    return shutdown;
  }
}
