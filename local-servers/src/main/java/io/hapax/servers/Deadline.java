package io.hapax.servers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A moment on the monotonic clock at which a wait ends. */
record Deadline(long nanoTime) {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  boolean hasPassed() {
    return System.nanoTime() - nanoTime >= 0;
  }

  /**
   * Waits for a state that several servers must agree on, at most one minute. The exception
   * contains the text of the complaint.
   */
  static void await(BooleanSupplier so, Supplier<String> complaint) {
    in(PATIENCE).until(so, () -> complaint.get() + " after " + PATIENCE);
  }

  void check(String complaint) {
    if (hasPassed()) {
      throw new LocalServerException(complaint);
    }
  }

  /** Waits for the condition. The exception contains the text of the complaint. */
  void until(BooleanSupplier so, Supplier<String> complaint) {
    while (!so.getAsBoolean()) {
      if (hasPassed()) {
        throw new LocalServerException(complaint.get());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
