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

  /**
   * By thread, because a thread that ends would also reduce a sum by its use before this moment.
   */
  private final Map<Long, ThreadUse> before = uses();

  /** Returns the use since this meter was created. */
  ThreadUse use() {
    return useOfEach().values().stream().reduce(ThreadUse.NONE, ThreadUse::plus);
  }

  /** Returns the use by thread id. */
  Map<Long, ThreadUse> useOfEach() {
    Map<Long, ThreadUse> since = new HashMap<>();
    uses().forEach((id, now) -> since.put(id, now.minus(before.getOrDefault(id, ThreadUse.NONE))));
    return since;
  }

  private static Map<Long, ThreadUse> uses() {
    long[] ids = THREADS.getAllThreadIds();
    long[] cpu = THREADS.getThreadCpuTime(ids);
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, ThreadUse> uses = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      boolean lives = cpu[i] >= 0 && bytes[i] >= 0;
      if (lives) {
        uses.put(ids[i], new ThreadUse(cpu[i], bytes[i]));
      }
    }
    return uses;
  }
}
