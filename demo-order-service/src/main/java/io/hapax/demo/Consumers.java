package io.hapax.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Starts the consumer processes of a run, and adds up what they reported. */
final class Consumers {

  private static final int ATTEMPTS_BESIDE_FAULTS = 5;

  /** No order meets all of very many faults, and one that always fails has to come to its end. */
  private static final int MOST_FOR_FAULTS = 20;

  private final DemoSettings settings;
  private final String address;
  private final String databaseUrl;
  private final Marks marks;
  private final Path log;
  private final List<String> jvmOptions;
  private final Map<Long, ReportReader> reports = new LinkedHashMap<>();
  private String classPath = System.getProperty("java.class.path");

  Consumers(DemoSettings settings, String address, String databaseUrl, Marks marks, Path folder) {
    this.settings = settings;
    this.address = address;
    this.databaseUrl = databaseUrl;
    this.marks = marks;
    this.log = folder.resolve("consumer.log");
    this.jvmOptions = settings.broker().jvmOptions(folder);
  }

  /** Sets the version of those that are started from now on. */
  void useClassPath(String other) {
    classPath = other;
  }

  /** Sets the version of those that are started from now on to that of this process. */
  void useOwnClassPath() {
    classPath = System.getProperty("java.class.path");
  }

  /**
   * Starts one more.
   *
   * @param brakeAfter after how many effects it becomes slow, to be struck
   */
  Child start(long brakeAfter) throws IOException {
    return start(brakeAfter, List.of());
  }

  /**
   * Starts one more.
   *
   * @param heldAfter after how many effects it holds what it has in its hands until it is told to
   *     go on
   */
  Child startHeld(long heldAfter) throws IOException {
    return start(heldAfter, List.of(ConsumeCommand.HELD_UNTIL_TOLD));
  }

  private Child start(long brakeAfter, List<String> options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(
        "--broker=" + settings.broker(),
        "--address=" + address,
        "--database=" + databaseUrl,
        "--mode=" + settings.mode(),
        "--brake-after=" + brakeAfter,
        "--max-attempts="
            + (Math.min(settings.faults().count() * 2, MOST_FOR_FAULTS) + ATTEMPTS_BESIDE_FAULTS)));
    arguments.addAll(options);
    marks.redis().forEach(address -> arguments.add("--redis=" + address));
    if (settings.orderly()) {
      arguments.add("--orderly");
    }
    if (settings.naive()) {
      arguments.add("--naive");
    }
    Child child = Child.start(reports.size() + 1L, log, classPath, jvmOptions, arguments);
    reports.put(child.number(), child.reports());
    return child;
  }

  long deliveries() {
    return reports.values().stream().mapToLong(ReportReader::polled).sum();
  }

  int settled() {
    return reports.values().stream().mapToInt(ReportReader::settled).sum();
  }

  int duplicates() {
    return reports.values().stream()
        .mapToInt(each -> each.count(Reports.Ending.DUPLICATE))
        .sum();
  }

  List<Recovery> recoveries() {
    return reports.values().stream().flatMap(each -> each.recoveries().stream()).toList();
  }

  /** What took a consumer longest of all that another had in flight when it was cut off. */
  Optional<Aftermath> slowestRecovery(List<Disruption> disruptions) {
    return disruptions.stream()
        .filter(each -> !(each instanceof Outage) && !settings.naive())
        .flatMap(this::recovered)
        .max(Comparator.comparing(Aftermath::after));
  }

  private Stream<Aftermath> recovered(Disruption cause) {
    return reports.entrySet().stream()
        .filter(later -> later.getKey() > cause.consumer())
        .flatMap(later -> later.getValue().doneAfter(cause.inFlight()).entrySet().stream()
            .map(done -> new Aftermath(done.getKey(), cause, later.getKey(), done.getValue())));
  }

  double consumingSeconds() {
    return reports.values().stream().mapToLong(ReportReader::activeNanos).sum() / 1e9;
  }
}
