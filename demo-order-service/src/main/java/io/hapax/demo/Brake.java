package io.hapax.demo;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Holds a consumer once it has done enough, so that its parent can strike it in mid-batch. Until
 * then it costs nothing.
 */
final class Brake {

  private final Reports reports;
  private final long after;
  private final Hold hold;
  private final AtomicLong effects = new AtomicLong();

  /**
   * A brake.
   *
   * @param after how many effects are done at full speed; {@link Long#MAX_VALUE} never brakes
   * @param hold how a batch is held at each of its steps from then on
   */
  Brake(Reports reports, long after, Hold hold) {
    this.reports = reports;
    this.after = after;
    this.hold = hold;
  }

  /** Call when a batch is in flight, as often as there are places worth a blow. */
  void hold() throws InterruptedException {
    if (effects.get() >= after) {
      reports.armed();
      hold.await();
    }
  }

  void passed(int count) {
    effects.addAndGet(count);
  }

  /** What holds a batch. */
  @FunctionalInterface
  interface Hold {

    /** Returns when the batch may go on. */
    void await() throws InterruptedException;
  }
}
