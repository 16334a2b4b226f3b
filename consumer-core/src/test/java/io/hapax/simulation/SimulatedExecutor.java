package io.hapax.simulation;

import io.hapax.internal.runtime.UnthreadedExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/** A pool of threads of one process: so many tasks at once, the others in line. */
class SimulatedExecutor extends UnthreadedExecutor {

  final VirtualTime time;
  final Life life;
  private final Dice dice;
  private final int width;
  private final Queue<Runnable> line = new ArrayDeque<>();
  private int running;

  SimulatedExecutor(VirtualTime time, Life life, Dice dice, int width) {
    this.time = time;
    this.life = life;
    this.dice = dice;
    this.width = width;
  }

  @Override
  public void execute(Runnable task) {
    if (isShutdown()) {
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
}
