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
    Deadline deadline = Deadline.in(PATIENCE);
    while (!so.getAsBoolean()) {
      if (deadline.hasPassed()) {
        throw new LocalServerException(complaint.get() + " after " + PATIENCE);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
