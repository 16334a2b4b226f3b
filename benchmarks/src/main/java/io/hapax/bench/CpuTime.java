package io.hapax.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** CPU time that was used so far, in nanoseconds. */
record CpuTime(long client, long server) {

  static final CpuTime ZERO = new CpuTime(0, 0);

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /**
   * Returns the time of this process and of the server with its children, if there is a server
   * process.
   */
  static CpuTime now(OptionalLong serverPid) {
    long server = serverPid.isEmpty()
        ? 0
        : ProcessHandle.of(serverPid.getAsLong()).stream()
            .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
            .flatMap(process -> process.info().totalCpuDuration().stream())
            .mapToLong(Duration::toNanos)
            .sum();
    return new CpuTime(SYSTEM.getProcessCpuTime(), server);
  }

  CpuTime plus(CpuTime other) {
    return new CpuTime(client + other.client, server + other.server);
  }

  CpuTime minus(CpuTime other) {
    return new CpuTime(client - other.client, server - other.server);
  }
}
