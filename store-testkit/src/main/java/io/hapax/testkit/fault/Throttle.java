package io.hapax.testkit.fault;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What every byte passes on its way: it may be slow there, or stuck. */
final class Throttle {

  private boolean shut;
  private Duration latency = Duration.ZERO;

  synchronized void latency(Duration each) {
    latency = each;
  }

  synchronized void shut(boolean isShut) {
    shut = isShut;
    notifyAll();
  }

  /** Waits as long as bytes must. The threads that wait here are a proxy's own. */
  synchronized void pass() {
    try {
      while (shut) {
        wait();
      }
      long end = System.nanoTime() + latency.toNanos();
      for (long left = latency.toNanos(); left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a proxy", e);
    }
  }
}
