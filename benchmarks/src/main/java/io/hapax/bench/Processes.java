package io.hapax.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The CPU time that this process and its children have used so far, by program. */
record Processes(Map<String, Long> nanos) {

  static Processes now() {
    ProcessHandle own = ProcessHandle.current();
    return new Processes(Stream.concat(Stream.of(own), own.descendants())
        .collect(Collectors.groupingBy(
            process -> process.equals(own) ? "this process" : program(process),
            TreeMap::new,
            Collectors.summingLong(Processes::cpu))));
  }

  private static String program(ProcessHandle process) {
    return process
        .info()
        .command()
        .map(command -> String.valueOf(Path.of(command).getFileName()))
        .orElse("another");
  }

  private static long cpu(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
  }

  /** Describes the time that each program has used for a message since then. */
  String since(Processes then, long messages) {
    return nanos.entrySet().stream()
        .map(it -> String.format(
            Locale.ROOT,
            "%s %.2f",
            it.getKey(),
            (it.getValue() - then.nanos.getOrDefault(it.getKey(), 0L)) / 1e3 / messages))
        .collect(Collectors.joining(", "));
  }
}
