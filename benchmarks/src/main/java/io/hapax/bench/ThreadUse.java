package io.hapax.bench;

/**
 * The resources that threads used.
 *
 * @param cpuNanos CPU time
 * @param allocatedBytes bytes allocated on the heap
 */
record ThreadUse(long cpuNanos, long allocatedBytes) {

  static final ThreadUse NONE = new ThreadUse(0, 0);

  ThreadUse plus(ThreadUse other) {
    return new ThreadUse(cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
  }

  ThreadUse minus(ThreadUse other) {
    return new ThreadUse(cpuNanos - other.cpuNanos, allocatedBytes - other.allocatedBytes);
  }
}
