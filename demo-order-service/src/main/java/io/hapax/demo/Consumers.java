package io.hapax.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the consumer processes of a run, and adds up what they reported. */
final class Consumers {

  private static final int ATTEMPTS_BESIDE_KILLS = 5;

  private final DemoSettings settings;
  private final String address;
  private final String databaseUrl;
  private final Marks marks;
  private final Path log;
  private final List<String> jvmOptions;
  private final List<ReportReader> reports = new ArrayList<>();

  Consumers(DemoSettings settings, String address, String databaseUrl, Marks marks, Path folder) {
    this.settings = settings;
    this.address = address;
    this.databaseUrl = databaseUrl;
    this.marks = marks;
    this.log = folder.resolve("consumer.log");
    this.jvmOptions = settings.broker().jvmOptions(folder);
  }

  /**
   * Starts one more.
   *
   * @param brakeAfter after how many effects it becomes slow, to be killed
   */
  Child start(long brakeAfter) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(
        "--broker=" + settings.broker(),
        "--address=" + address,
        "--database=" + databaseUrl,
        "--mode=" + settings.mode(),
        "--brake-after=" + brakeAfter,
        "--max-attempts=" + (settings.faults().count() * 2 + ATTEMPTS_BESIDE_KILLS)));
    marks.redis().forEach(address -> arguments.add("--redis=" + address));
    if (settings.orderly()) {
      arguments.add("--orderly");
    }
    if (settings.naive()) {
      arguments.add("--naive");
    }
    Child child = Child.start(log, jvmOptions, arguments);
    reports.add(child.reports());
    return child;
  }

  long deliveries() {
    return reports.stream().mapToLong(ReportReader::polled).sum();
  }

  int settled() {
    return reports.stream().mapToInt(ReportReader::settled).sum();
  }

  int duplicates() {
    return reports.stream()
        .mapToInt(each -> each.count(Reports.Ending.DUPLICATE))
        .sum();
  }

  List<Recovery> recoveries() {
    return reports.stream().flatMap(each -> each.recoveries().stream()).toList();
  }

  double consumingSeconds() {
    return reports.stream().mapToLong(ReportReader::activeNanos).sum() / 1e9;
  }
}
