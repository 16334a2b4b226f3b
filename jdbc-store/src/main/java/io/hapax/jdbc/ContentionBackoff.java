package io.hapax.jdbc;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Waits before a try after contention. The pause is random, so that the same transactions do not
 * collide again, and its upper bound grows with each lost try.
 */
final class ContentionBackoff {

  private static final Duration LONGEST_FIRST = Duration.ofMillis(10);

  private final DoubleSupplier random;
  private final Consumer<Duration> waiting;

  /**
   * ContentionBackoff of a chosen kind.
   *
   * @param random returns 0 to 1
   * @param waiting waits for a duration
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

  /** Returns the pause after a number of lost tries. */
  Duration after(int tries) {
    return Duration.ofNanos((long) (LONGEST_FIRST.toNanos() * tries * random.getAsDouble()));
  }

  void waitAfter(int tries) {
    waiting.accept(after(tries));
  }
}
