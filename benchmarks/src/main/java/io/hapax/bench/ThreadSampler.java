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
 * Samples the threads of this process until it is closed: their states, their methods and their CPU
 * time, by kind.
 */
final class ThreadSampler implements AutoCloseable {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long PAUSE_MILLIS = 20;

  private final ThreadMeter meter = new ThreadMeter();
  private final Map<Long, ThreadKind> kinds = new HashMap<>();
  private final Map<ThreadKind, ThreadStates> states = new EnumMap<>(ThreadKind.class);
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-sampler");
        thread.setDaemon(true);
        return thread;
      });
  private int samples;

  ThreadSampler() {
    var unused =
        scheduler.scheduleWithFixedDelay(this::sample, PAUSE_MILLIS, PAUSE_MILLIS, MILLISECONDS);
  }

  private synchronized void sample() {
    samples++;
    for (ThreadInfo thread : THREADS.dumpAllThreads(false, false)) {
      ThreadKind kind =
          kinds.computeIfAbsent(thread.getThreadId(), id -> ThreadKind.of(thread.getThreadName()));
      states.computeIfAbsent(kind, any -> new ThreadStates()).add(thread);
    }
  }

  /** Returns the samples so far as text, one kind after the other. */
  synchronized String text(long messages) {
    Map<ThreadKind, Long> cpu = new EnumMap<>(ThreadKind.class);
    meter
        .useOfEach()
        .forEach((id, use) ->
            cpu.merge(kinds.getOrDefault(id, ThreadKind.OTHERS), use.cpuNanos(), Long::sum));
    StringBuilder text = new StringBuilder(String.format(
        Locale.ROOT,
        "  %-30s %13s %6s %6s %6s %6s%n",
        "threads by sample",
        "us a message",
        "run",
        "lock",
        "wait",
        "idle"));
    states.forEach((kind, of) -> {
      double micros = cpu.getOrDefault(kind, 0L) / 1e3 / messages;
      text.append(of.text(kind.title(), micros, samples));
    });
    return text.toString();
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }
}
