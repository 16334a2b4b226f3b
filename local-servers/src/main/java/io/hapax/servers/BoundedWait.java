package io.hapax.servers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a state that several servers must agree on. */
final class BoundedWait {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  private BoundedWait() {}

  /**
   * Waits for the condition, at most one minute. The exception contains the text of the complaint.
   */
  static void until(BooleanSupplier so, Supplier<String> complaint) {
    before(Deadline.in(PATIENCE), so, () -> complaint.get() + " after " + PATIENCE);
  }

  /**
   * Waits for the condition until the deadline. The exception contains the text of the complaint.
   */
  static void before(Deadline deadline, BooleanSupplier so, Supplier<String> complaint) {
    while (!so.getAsBoolean()) {
      if (deadline.hasPassed()) {
        throw new LocalServerException(complaint.get());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
