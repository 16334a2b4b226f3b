package io.hapax.bench;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Counts the messages that a listener acknowledges, from its first message on. */
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

  /** Counts a call of the listener, and returns false after the measurement. */
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
   * Returns messages a second until all are acknowledged or the limit is reached.
   *
   * @param untilSteady the time after the first message that does not count; if all messages arrive
   *     within it, all count
   * @param limit the longest time that counts
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

  /**
   * Waits for that time from the first message on. Returns false if all messages arrived within it.
   */
  boolean awaitSteady(Duration untilSteady) throws InterruptedException {
    awaitFirst();
    return !last.await(untilSteady.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void awaitFirst() throws InterruptedException {
    if (!first.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no message came within " + PATIENCE_SECONDS + " s");
    }
  }

  /**
   * Waits until all messages are acknowledged or the limit is reached, and ends the measurement.
   */
  void awaitLast(Duration limit) throws InterruptedException {
    var unused = last.await(limit.toMillis() + LOOK_MILLIS, TimeUnit.MILLISECONDS);
    over = true;
  }

  /** Returns the number of acknowledged messages. */
  long count() {
    return done.sum();
  }
}
