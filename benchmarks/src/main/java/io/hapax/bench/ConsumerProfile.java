package io.hapax.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** Samples a turn of a consumer: CPU time by process, by kind of thread, and by method. */
final class ConsumerProfile {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final double WORTH_SHOWING = 0.05;

  private ConsumerProfile() {}

  /**
   * Returns the profile as text.
   *
   * @param turn waits for the end of the turn, and returns the messages of its time
   */
  static String of(Callable<Long> turn) throws Exception {
    StringBuilder text = new StringBuilder();
    HotSpots spots = HotSpots.of(() -> {
      CpuTime before = CpuTime.now();
      ThreadMeter meter = new ThreadMeter();
      long messages = Math.max(1, turn.call());
      text.append(
          Benchmark.format("  CPU, us a message: %s%n", CpuTime.now().since(before, messages)));
      text.append(Benchmark.format("  threads by name %28s%n", "us a message"));
      byKind(meter).forEach((kind, nanos) -> {
        double micros = nanos / 1e3 / messages;
        if (micros >= WORTH_SHOWING) {
          text.append(Benchmark.format("    %-30s %10.2f%n", kind, micros));
        }
      });
    });
    return text + spots.text();
  }

  /** Returns the CPU time of threads by the part of their name that is before the first digit. */
  private static Map<String, Long> byKind(ThreadMeter meter) {
    Map<String, Long> nanos = new TreeMap<>();
    meter.useOfEach().forEach((id, use) -> {
      ThreadInfo thread = THREADS.getThreadInfo(id);
      if (thread != null) {
        nanos.merge(
            thread.getThreadName().replaceAll("[-_ ]*\\d.*", ""), use.cpuNanos(), Long::sum);
      }
    });
    return nanos;
  }
}
