package io.hapax.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * What threads have used so far. A thread that has ended is not counted, so whoever takes a
 * difference keeps the threads alive in between.
 *
 * @param cpuNanos CPU time
 * @param allocatedBytes what they allocated on the heap
 */
record ThreadUse(long cpuNanos, long allocatedBytes) {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Of all Java threads of this process. */
  static ThreadUse now() {
    long[] ids = THREADS.getAllThreadIds();
    return new ThreadUse(
        positive(THREADS.getThreadCpuTime(ids)), positive(THREADS.getThreadAllocatedBytes(ids)));
  }

  private static long positive(long[] values) {
    return Arrays.stream(values).filter(value -> value > 0).sum();
  }

  ThreadUse minus(ThreadUse other) {
    return new ThreadUse(cpuNanos - other.cpuNanos, allocatedBytes - other.allocatedBytes);
  }
}
