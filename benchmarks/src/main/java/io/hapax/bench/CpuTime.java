package io.hapax.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The nanoseconds that this process and its children, the servers, have used, by program. */
record CpuTime(Map<String, Long> programs) {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  static CpuTime now() {
    Map<String, Long> programs = new LinkedHashMap<>();
    programs.put("this process", SYSTEM.getProcessCpuTime());
    ProcessHandle.current().descendants().forEach(process -> {
      ProcessHandle.Info info = process.info();
      String path = info.command().orElse("another");
      long nanos = info.totalCpuDuration().map(Duration::toNanos).orElse(0L);
      programs.merge(String.valueOf(Path.of(path).getFileName()), nanos, Long::sum);
    });
    return new CpuTime(programs);
  }

  CpuTime plus(CpuTime begin, CpuTime end) {
    Map<String, Long> sum = new LinkedHashMap<>(programs);
    end.programs.forEach((program, nanos) ->
        sum.merge(program, nanos - begin.programs.getOrDefault(program, 0L), Long::sum));
    return new CpuTime(sum);
  }

  String text(long messages) {
    return programs.entrySet().stream()
        .map(it -> Benchmark.format("%s %.2f", it.getKey(), it.getValue() / 1e3 / messages))
        .collect(Collectors.joining(", ", "  CPU, us a message: ", "\n"));
  }
}
