package io.hapax.demo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes a consumer slow once it has done enough, so that its parent can kill it in mid-batch. Until
 * then it costs nothing.
 */
final class Brake {

  private final Reports reports;
  private final long after;
  private final Duration pause;
  private final AtomicLong effects = new AtomicLong();

  /**
   * A brake.
   *
   * @param after how many effects are done at full speed; {@link Long#MAX_VALUE} never brakes
   * @param pause how long a batch is held at each of its steps from then on
   */
  Brake(Reports reports, long after, Duration pause) {
    this.reports = reports;
    this.after = after;
    this.pause = pause;
  }

  /** Call when a batch is in flight, as often as there are places worth a kill. */
  void hold() throws InterruptedException {
    if (effects.get() >= after) {
      reports.armed();
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    }
  }

  void passed(int count) {
    effects.addAndGet(count);
  }
}
