package io.hapax.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

record Machine(Instant date, String text) {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  static Machine now() throws IOException {
    String text = Benchmark.format(
        "processor %d x %s, memory %d GiB, system %s %s, jdk %s %s, fsync %.2f ms",
        SYSTEM.getAvailableProcessors(),
        processor(),
        SYSTEM.getTotalMemorySize() >> 30,
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        System.getProperty("java.vm.name"),
        System.getProperty("java.runtime.version"),
        syncMillis());
    return new Machine(Instant.now(), text);
  }

  /**
   * Returns the average number of runnable threads in the last minute, with those of this
   * benchmark.
   */
  static double load() {
    return SYSTEM.getSystemLoadAverage();
  }

  private static String processor() throws IOException {
    Path file = Path.of("/proc/cpuinfo");
    return (Files.isReadable(file) ? Files.readAllLines(file) : List.<String>of())
        .stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse(System.getProperty("os.arch"));
  }

  /** Returns the time of one disk sync, which is the least time of a commit. */
  private static double syncMillis() throws IOException {
    Path file = Files.createTempFile("hapax-bench-", ".sync");
    List<Double> millis = new ArrayList<>();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
      for (int i = 0; i < 51; i++) {
        channel.write(ByteBuffer.allocate(8192));
        long begin = System.nanoTime();
        channel.force(false);
        millis.add((System.nanoTime() - begin) / 1e6);
      }
    }
    return Spread.of(millis).median();
  }
}
