package io.hapax.internal.runtime;

import java.util.concurrent.locks.LockSupport;

/** A monotonic clock. It measures leases, because a wall clock may jump. */
@FunctionalInterface
public interface Ticker {

  /** Returns nanoseconds since an arbitrary fixed time; only differences have a meaning. */
  long nanos();

  /** Lets time pass until the thread is unparked or interrupted, or for a shorter time. */
  default void park() {
    LockSupport.park();
  }

  /** Does the same, at most for a number of nanoseconds. */
  default void park(long nanos) {
    LockSupport.parkNanos(nanos);
  }
}
