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
  private String cpu = "";

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
   * Returns messages a second until all are acknowledged or the limit is reached. What arrives
   * before the rate is steady does not count, unless that is all.
   */
  double rate(Duration untilSteady, Duration limit) throws InterruptedException {
    if (!first.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("no message came within " + PATIENCE_SECONDS + " s");
    }
    long begin = System.nanoTime();
    CpuTime cpuBefore = CpuTime.now();
    long before = 0;
    if (!last.await(untilSteady.toMillis(), TimeUnit.MILLISECONDS)) {
      cpuBefore = CpuTime.now();
      begin = System.nanoTime();
      before = done.sum();
    }
    var unused = last.await(limit.toMillis() + LOOK_MILLIS, TimeUnit.MILLISECONDS);
    over = true;
    long count = done.sum() - before;
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (count == 0) {
      throw new IllegalStateException("nothing was acknowledged within " + limit);
    }
    cpu = CpuTime.now().since(cpuBefore, count);
    return count / seconds;
  }

  /** Returns the CPU time of a message that counted. */
  String cpu() {
    return cpu;
  }
}
