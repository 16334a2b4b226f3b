package io.hapax.bench;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a listener has acknowledged, from its first message on. */
final class RocketMqMeter {

  private static final long PATIENCE_SECONDS = 60;
  private static final long LOOK_MILLIS = 1;

  private final int messages;
  private final LongAdder done = new LongAdder();
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch last = new CountDownLatch(1);
  private volatile boolean over;

  RocketMqMeter(int messages) {
    this.messages = messages;
  }

  /** A listener was called; false once nobody looks any more. */
  boolean begin() {
    first.countDown();
    return !over;
  }

  void done(int count) {
    done.add(count);
    if (done.sum() >= messages) {
      last.countDown();
    }
  }

  /**
   * Messages a second, until all have come or the time is over.
   *
   * @param untilSteady how long after the first message what comes does not count; if all come
   *     within it, all count
   * @param limit how long is counted at most
   */
  double rate(Duration untilSteady, Duration limit) throws InterruptedException {
    awaitFirst();
    long begin = System.nanoTime();
    long before = 0;
    if (awaitSteady(untilSteady)) {
      begin = System.nanoTime();
      before = count();
    }
    awaitLast(limit);
    long count = count() - before;
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (count == 0) {
      throw new IllegalStateException("nothing was acknowledged within " + limit);
    }
    return count / seconds;
  }

  /** Waits for that time from the first message on; false if all have come within it. */
  boolean awaitSteady(Duration untilSteady) throws InterruptedException {
    awaitFirst();
    return !last.await(untilSteady.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void awaitFirst() throws InterruptedException {
    if (!first.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no message came within " + PATIENCE_SECONDS + " s");
    }
  }

  /** Waits until all have come, or the time is over; then nobody looks any more. */
  void awaitLast(Duration limit) throws InterruptedException {
    var unused = last.await(limit.toMillis() + LOOK_MILLIS, TimeUnit.MILLISECONDS);
    over = true;
  }

  /** How many were acknowledged so far. */
  long count() {
    return done.sum();
  }
}
