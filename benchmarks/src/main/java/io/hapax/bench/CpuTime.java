package io.hapax.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The nanoseconds that this process, and its children by program (the servers), have used so far.
 */
record CpuTime(long here, Map<String, Long> programs) {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  static CpuTime now() {
    return new CpuTime(
        SYSTEM.getProcessCpuTime(),
        ProcessHandle.current()
            .descendants()
            .collect(Collectors.groupingBy(
                CpuTime::program, TreeMap::new, Collectors.summingLong(CpuTime::nanos))));
  }

  private static String program(ProcessHandle process) {
    return process
        .info()
        .command()
        .map(command -> String.valueOf(Path.of(command).getFileName()))
        .orElse("another");
  }

  private static long nanos(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
  }

  long there() {
    return programs.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Describes the microseconds that each program has used for a message since then. */
  String since(CpuTime then, long messages) {
    return programs.entrySet().stream()
        .map(it -> Benchmark.format(
            ", %s %.2f",
            it.getKey(),
            (it.getValue() - then.programs.getOrDefault(it.getKey(), 0L)) / 1e3 / messages))
        .collect(Collectors.joining(
            "",
            Benchmark.format(
                "  CPU, us a message: this process %.2f", (here - then.here) / 1e3 / messages),
            "\n"));
  }
}
