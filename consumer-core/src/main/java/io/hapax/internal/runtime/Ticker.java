package io.hapax.internal.runtime;

import java.util.concurrent.locks.LockSupport;

/** A monotonic clock. It measures leases, because a wall clock may jump. */
@FunctionalInterface
public interface Ticker {

  /** Returns nanoseconds since an arbitrary fixed time; only differences have a meaning. */
  long nanos();

  /** Lets a number of nanoseconds pass, or less if the thread is unparked or interrupted. */
  default void park(long nanos) {
    LockSupport.parkNanos(nanos);
  }
}
