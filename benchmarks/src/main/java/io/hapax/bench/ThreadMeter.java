package io.hapax.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what a number of messages cost from a moment on: the elapsed time, and the CPU time and
 * the allocations of the Java threads of this process. A thread that ends earlier is not counted,
 * so the caller keeps the threads alive.
 */
final class ThreadMeter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  record Cost(double wallNanos, double cpuNanos, double bytes) {

    static Cost median(List<Cost> rounds) {
      return new Cost(
          Spread.median(rounds, Cost::wallNanos),
          Spread.median(rounds, Cost::cpuNanos),
          Spread.median(rounds, Cost::bytes));
    }

    Cost minus(Cost other) {
      return new Cost(wallNanos - other.wallNanos, cpuNanos - other.cpuNanos, bytes - other.bytes);
    }
  }

  /**
   * CPU time and bytes by thread, because a thread that ends would also reduce a sum by its use
   * before this moment.
   */
  private final Map<Long, long[]> before = uses();

  private final long begin = System.nanoTime();

  Cost cost(int messages) {
    double nanos = System.nanoTime() - begin;
    double cpu = 0;
    double bytes = 0;
    for (Map.Entry<Long, long[]> now : uses().entrySet()) {
      long[] earlier = before.getOrDefault(now.getKey(), new long[2]);
      cpu += now.getValue()[0] - earlier[0];
      bytes += now.getValue()[1] - earlier[1];
    }
    return new Cost(nanos / messages, cpu / messages, bytes / messages);
  }

  private static Map<Long, long[]> uses() {
    long[] ids = THREADS.getAllThreadIds();
    long[] cpu = THREADS.getThreadCpuTime(ids);
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, long[]> uses = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      if (cpu[i] >= 0 && bytes[i] >= 0) { // it lives
        uses.put(ids[i], new long[] {cpu[i], bytes[i]});
      }
    }
    return uses;
  }
}
