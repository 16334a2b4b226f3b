package io.hapax.servers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what several servers have to agree on. */
final class Waiting {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  private Waiting() {}

  /** Returns when it is so; after a minute it says what is still not so. */
  static void until(BooleanSupplier so, Supplier<String> complaint) {
    before(Deadline.in(PATIENCE), so, () -> complaint.get() + " after " + PATIENCE);
  }

  /** Returns when it is so; after the deadline it says what is still not so. */
  static void before(Deadline deadline, BooleanSupplier so, Supplier<String> complaint) {
    while (!so.getAsBoolean()) {
      if (deadline.hasPassed()) {
        throw new LocalServerException(complaint.get());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
