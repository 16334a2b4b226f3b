package io.hapax.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts what the Java threads of this process use from a moment on. A thread that ends before it
 * is asked is not counted, so whoever measures keeps the threads in question alive until then.
 */
final class ThreadMeter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * Thread by thread: one that ends takes out of a sum what it has used before this moment, too.
   */
  private final Map<Long, ThreadUse> before = uses();

  /** What was used since this meter was made. */
  ThreadUse use() {
    return useOfEach().values().stream().reduce(ThreadUse.NONE, ThreadUse::plus);
  }

  /** The same by the thread's id. */
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
