package io.hapax.internal.runtime;

/** A monotonic clock. Leases are watched with it, because a wall clock may jump. */
@FunctionalInterface
public interface Ticker {

  /** Nanoseconds since some fixed moment; only differences mean anything. */
  long nanos();
}
