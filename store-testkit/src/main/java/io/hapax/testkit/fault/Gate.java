package io.hapax.testkit.fault;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** What every byte passes on its way: it may be slow there, or stuck. */
final class Gate {

  private boolean shut;
  private Duration latency = Duration.ZERO;

  synchronized void latency(Duration each) {
    latency = each;
  }

  synchronized void shut(boolean isShut) {
    shut = isShut;
    notifyAll();
  }

  /** Waits as long as bytes must. */
  void pass() {
    long end = System.nanoTime() + untilOpen().toNanos();
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** The threads that wait here are a proxy's own; nobody interrupts them. */
  private synchronized Duration untilOpen() {
    while (shut) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return latency;
  }
}
