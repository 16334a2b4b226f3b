package io.hapax.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the resources that the Java threads of this process use from a moment on. A thread that
 * ends earlier is not counted, so the caller keeps the threads alive.
 */
final class ThreadMeter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The CPU time that threads used, and the bytes that they allocated on the heap. */
  record Use(long cpuNanos, long allocatedBytes) {

    static final Use NONE = new Use(0, 0);

    Use plus(Use other) {
      return new Use(cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
    }

    Use minus(Use other) {
      return new Use(cpuNanos - other.cpuNanos, allocatedBytes - other.allocatedBytes);
    }
  }

  /**
   * By thread, because a thread that ends would also reduce a sum by its use before this moment.
   */
  private final Map<Long, Use> before = uses();

  Use use() {
    Use sum = Use.NONE;
    for (Map.Entry<Long, Use> now : uses().entrySet()) {
      sum = sum.plus(now.getValue()).minus(before.getOrDefault(now.getKey(), Use.NONE));
    }
    return sum;
  }

  private static Map<Long, Use> uses() {
    long[] ids = THREADS.getAllThreadIds();
    long[] cpu = THREADS.getThreadCpuTime(ids);
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Use> uses = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      boolean lives = cpu[i] >= 0 && bytes[i] >= 0;
      if (lives) {
        uses.put(ids[i], new Use(cpu[i], bytes[i]));
      }
    }
    return uses;
  }
}
