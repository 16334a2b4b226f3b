package io.hapax.internal.runtime;

/** A monotonic clock. It measures leases, because a wall clock may jump. */
@FunctionalInterface
public interface Ticker {

  /** Returns nanoseconds since an arbitrary fixed time; only differences have a meaning. */
  long nanos();
}
