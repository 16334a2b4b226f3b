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
  private final AtomicLong effects = new AtomicLong();
  private @Nullable Request request;

  /** A held batch waits for {@link #resume()}, others for a short time at each step. */
  private record Request(long number, boolean held, long after) {}

  /** Pauses after this number of effects; {@link Long#MAX_VALUE} never pauses. */
  PauseGate(Reports reports, long after) {
    this.reports = reports;
    this.request = new Request(Reports.BY_EFFECTS, false, after);
  }

  /** Call it while a batch is in flight, at each place where a fault is useful. */
  void pauseIfReached() throws InterruptedException {
    Request asked = request();
    if (asked == null || effects.get() < asked.after) {
      return;
    }
    reports.armed(asked.number);
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

  synchronized void request(long number, boolean held) {
    request = new Request(number, held, 0);
    notifyAll();
  }

  /** Ends the request and the pauses by effects. Paused batches continue at full speed. */
  synchronized void resume() {
    request = null;
    notifyAll();
  }
}
