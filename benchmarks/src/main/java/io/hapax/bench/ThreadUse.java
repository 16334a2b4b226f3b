package io.hapax.bench;

/**
 * What threads used.
 *
 * @param cpuNanos CPU time
 * @param allocatedBytes what they allocated on the heap
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
