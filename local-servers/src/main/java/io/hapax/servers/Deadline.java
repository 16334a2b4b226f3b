package io.hapax.servers;

import java.time.Duration;

/** A moment on the monotonic clock at which a wait ends. */
record Deadline(long nanoTime) {

  static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  boolean hasPassed() {
    return System.nanoTime() - nanoTime >= 0;
  }
}
