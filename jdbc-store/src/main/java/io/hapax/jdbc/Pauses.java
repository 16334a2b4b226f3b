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
final class Pauses {

  private static final Duration LONGEST_FIRST = Duration.ofMillis(10);

  private final DoubleSupplier dice;
  private final Consumer<Duration> waiting;

  /**
   * Pauses of a chosen kind.
   *
   * @param dice shows 0 to 1
   * @param waiting waits for so long
   */
  Pauses(DoubleSupplier dice, Consumer<Duration> waiting) {
    this.dice = dice;
    this.waiting = waiting;
  }

  static Pauses random() {
    return new Pauses(
        () -> ThreadLocalRandom.current().nextDouble(),
        pause -> LockSupport.parkNanos(pause.toNanos()));
  }

  /** How long after so many lost tries. */
  Duration after(int tries) {
    return Duration.ofNanos((long) (LONGEST_FIRST.toNanos() * tries * dice.getAsDouble()));
  }

  void waitAfter(int tries) {
    waiting.accept(after(tries));
  }
}
