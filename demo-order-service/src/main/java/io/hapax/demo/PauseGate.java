package io.hapax.demo;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Pauses a consumer after a number of effects, so that its parent can inject a fault while a batch
 * is in flight. Until then it costs nothing.
 */
final class PauseGate {

  private final Reports reports;
  private final long after;
  private final Hold hold;
  private final AtomicLong effects = new AtomicLong();

  /**
   * Creates a gate.
   *
   * @param after the number of effects at full speed; {@link Long#MAX_VALUE} never pauses
   * @param hold pauses a batch at each of its steps from then on
   */
  PauseGate(Reports reports, long after, Hold hold) {
    this.reports = reports;
    this.after = after;
    this.hold = hold;
  }

  /**
   * Pauses if the gate is active. Call it while a batch is in flight, at each place where a fault
   * is useful.
   */
  void pauseIfReached() throws InterruptedException {
    if (effects.get() >= after) {
      reports.armed();
      hold.await();
    }
  }

  void count(int count) {
    effects.addAndGet(count);
  }

  /** Pauses a batch. */
  @FunctionalInterface
  interface Hold {

    /** Returns when the batch may continue. */
    void await() throws InterruptedException;
  }
}
