package io.hapax.jdbc;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * What who lost against other transactions waits before the next try: at random, so that those who
 * met do not meet again, and longer with each try that was lost.
 */
final class ContentionBackoff {

  private static final Duration LONGEST_FIRST = Duration.ofMillis(10);

  private final DoubleSupplier random;
  private final Consumer<Duration> waiting;

  /**
   * ContentionBackoff of a chosen kind.
   *
   * @param random shows 0 to 1
   * @param waiting waits for so long
   */
  ContentionBackoff(DoubleSupplier random, Consumer<Duration> waiting) {
    this.random = random;
    this.waiting = waiting;
  }

  static ContentionBackoff randomized() {
    return new ContentionBackoff(
        () -> ThreadLocalRandom.current().nextDouble(),
        pause -> LockSupport.parkNanos(pause.toNanos()));
  }

  /** How long after so many lost tries. */
  Duration after(int tries) {
    return Duration.ofNanos((long) (LONGEST_FIRST.toNanos() * tries * random.getAsDouble()));
  }

  void waitAfter(int tries) {
    waiting.accept(after(tries));
  }
}
