package io.hapax.bench;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Looks at the threads of this process again and again until it is closed: how many of each kind
 * run or wait, where, and what CPU time they use.
 */
final class ThreadLooks implements AutoCloseable {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long PAUSE_MILLIS = 20;

  private final ThreadMeter meter = new ThreadMeter();
  private final Map<Long, ThreadKind> kinds = new HashMap<>();
  private final Map<ThreadKind, Doings> doings = new EnumMap<>(ThreadKind.class);
  private final ScheduledExecutorService looker =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-looker");
        thread.setDaemon(true);
        return thread;
      });
  private int looks;

  ThreadLooks() {
    var unused =
        looker.scheduleWithFixedDelay(this::look, PAUSE_MILLIS, PAUSE_MILLIS, MILLISECONDS);
  }

  private synchronized void look() {
    looks++;
    for (ThreadInfo thread : THREADS.dumpAllThreads(false, false)) {
      ThreadKind kind =
          kinds.computeIfAbsent(thread.getThreadId(), id -> ThreadKind.of(thread.getThreadName()));
      doings.computeIfAbsent(kind, any -> new Doings()).add(thread);
    }
  }

  /** What was seen so far, kind by kind, for people. */
  synchronized String text(long messages) {
    Map<ThreadKind, Long> cpu = new EnumMap<>(ThreadKind.class);
    meter
        .useOfEach()
        .forEach((id, use) ->
            cpu.merge(kinds.getOrDefault(id, ThreadKind.OTHERS), use.cpuNanos(), Long::sum));
    StringBuilder text = new StringBuilder(String.format(
        Locale.ROOT,
        "  %-30s %13s %6s %6s %6s %6s%n",
        "threads at a look",
        "us a message",
        "run",
        "lock",
        "wait",
        "idle"));
    doings.forEach((kind, of) -> {
      double micros = cpu.getOrDefault(kind, 0L) / 1e3 / messages;
      text.append(of.text(kind.title(), micros, looks));
    });
    return text.toString();
  }

  @Override
  public void close() {
    looker.shutdownNow();
  }
}
