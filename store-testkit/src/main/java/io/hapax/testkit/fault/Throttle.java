package io.hapax.testkit.fault;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Delays or stops all data of a proxy. */
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

  /** Waits while data is stopped, and then for the latency. Only threads of the proxy call this. */
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
      throw new IllegalStateException("a thread of the proxy was interrupted", e);
    }
  }
}
