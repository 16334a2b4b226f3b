package io.hapax.chaos;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Pauses a consumer while a batch is in flight, so that its parent can inject a fault. The pause
 * begins after a configured number of effects, or when the parent requests it.
 */
final class PauseGate {

  private static final long STEP_MILLIS = 60;

  private final Reports reports;
  private final Hold hold;
  private final AtomicLong effects = new AtomicLong();
  private volatile long after;
  private @Nullable Request request;

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
    Request asked = request();
    if (asked != null) {
      reports.armed(asked.number);
      pause(asked);
    } else if (effects.get() >= after) {
      reports.armed(Reports.BY_EFFECTS);
      hold.await();
    }
  }

  private void pause(Request asked) throws InterruptedException {
    if (!asked.held) {
      TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
      return;
    }
    synchronized (this) {
      while (asked.equals(request)) {
        wait();
      }
    }
  }

  private synchronized @Nullable Request request() {
    return request;
  }

  void count(int count) {
    effects.addAndGet(count);
  }

  /**
   * Pauses batches from now on.
   *
   * @param number the number of the request, for the report
   * @param held whether a batch waits for {@link #resume()}, or for a short time at each step
   */
  synchronized void request(long number, boolean held) {
    request = new Request(number, held);
    notifyAll();
  }

  /** Ends the request and the pauses by effects. Paused batches continue at full speed. */
  synchronized void resume() {
    after = Long.MAX_VALUE;
    request = null;
    notifyAll();
  }

  private record Request(long number, boolean held) {}

  /** Pauses a batch. */
  @FunctionalInterface
  interface Hold {

    /** Returns when the batch may continue. */
    void await() throws InterruptedException;
  }
}
