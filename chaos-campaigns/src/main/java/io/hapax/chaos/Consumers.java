package io.hapax.chaos;

import io.hapax.demo.scene.RocketMqClients;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts the consumer processes of a run, and adds up their reports. */
final class Consumers {

  /** The main class of the version that {@code .ci/rolling} starts. */
  private static final String OLD_MAIN = "io.hapax.demo.DemoMain";

  private static final int ATTEMPTS_BESIDE_FAULTS = 5;

  /** Limits the attempts, so that an order that always fails soon becomes dead. */
  private static final int MAX_ATTEMPTS = 20;

  private final ChaosSettings settings;
  private final OrderBroker broker;
  private final CampaignStores stores;
  private final Path log;
  private final List<String> jvmOptions;
  private final Map<Long, ReportReader> reports = new ConcurrentSkipListMap<>();
  private Optional<String> oldClassPath = Optional.empty();

  Consumers(ChaosSettings settings, OrderBroker broker, CampaignStores stores, Path folder) {
    this.settings = settings;
    this.broker = broker;
    this.stores = stores;
    this.log = folder.resolve("consumer.log");
    this.jvmOptions = switch (settings.broker) {
      case KAFKA -> List.of();
      case ROCKETMQ -> RocketMqClients.jvmOptions(folder);
    };
  }

  /** Starts later processes with the class path of an older version; if empty, with this one. */
  void useOld(Optional<String> classPath) {
    oldClassPath = classPath;
  }

  /** Starts a consumer that runs slowly after this number of effects, to be hit by a fault. */
  ConsumerProcess start(long pauseAfter, String... options) throws IOException {
    long number = reports.size() + 1L;
    int faults = settings.faults.values().stream().mapToInt(asked -> asked).sum();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Most of these processes end before the compiler's work would pay off.
    command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(jvmOptions);
    command.addAll(List.of(
        "-cp",
        oldClassPath.orElse(System.getProperty("java.class.path")),
        oldClassPath.map(old -> OLD_MAIN).orElse(ChaosCommand.class.getName()),
        ConsumeCommand.NAME,
        "--number=" + number,
        "--broker=" + settings.broker,
        "--address=" + broker.address(),
        "--database=" + settings.store.urlFor(stores.url(), name(number)),
        "--mode=" + settings.mode(),
        ConsumeCommand.PAUSE_AFTER + '=' + pauseAfter,
        "--max-attempts=" + (Math.min(faults * 2, MAX_ATTEMPTS) + ATTEMPTS_BESIDE_FAULTS)));
    command.addAll(List.of(options));
    stores.marks().as(name(number)).redis().forEach(uri -> command.add("--redis=" + uri));
    if (settings.group().protocol() != GroupPlan.Protocol.CLASSIC) {
      // Set only if needed: the older version of a rolling upgrade does not have this option.
      command.add("--protocol=" + settings.group().protocol());
    }
    Map.of("--orderly", settings.orderly, "--naive", settings.naive, "--spring", settings.spring)
        .forEach((flag, set) -> command.addAll(set ? List.of(flag) : List.of()));
    ConsumerProcess child = ConsumerProcess.start(number, log, command);
    reports.put(child.number(), child.reports());
    return child;
  }

  static String name(long number) {
    return "consumer-" + number;
  }

  long deliveries() {
    return reports.values().stream().mapToLong(ReportReader::deliveries).sum();
  }

  int settled() {
    return reports.values().stream().mapToInt(ReportReader::settled).sum();
  }

  int count(Reports.Ending ending) {
    return reports.values().stream().mapToInt(each -> each.count(ending)).sum();
  }

  List<Reports.Recovery> recoveries() {
    return reports.values().stream().flatMap(each -> each.recoveries().stream()).toList();
  }

  /** Returns the orders that each consumer reported as executed: their marks are DONE by then. */
  Map<Long, Set<String>> completions() {
    return reports.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().executed()));
  }

  /**
   * Returns the orders that were in flight at this time. Those that another consumer had completed
   * by then are left out, because this one had deferred them.
   */
  Set<String> inFlight(long consumer, long nanos) {
    Set<String> orders = Objects.requireNonNull(reports.get(consumer)).inFlight();
    Set<String> reported = Set.copyOf(orders);
    others(consumer)
        .forEach(other -> orders.removeAll(other.getValue().executedBefore(nanos, reported)));
    return orders;
  }

  /**
   * Returns the slowest recovery of an order that was in flight at a kill or stop.
   *
   * @param fromReady count from when the other consumer was ready, if that was later
   */
  Optional<RecoveredOrder> slowestRecovery(Map<Disruption, Long> interruptions, boolean fromReady) {
    return interruptions.entrySet().stream()
        .flatMap(each -> recovered(each.getKey(), each.getValue(), fromReady))
        .max(Comparator.comparing(RecoveredOrder::after));
  }

  private Stream<RecoveredOrder> recovered(Disruption cause, long nanos, boolean fromReady) {
    return others(cause.consumer())
        .flatMap(other ->
            other.getValue().executedAfter(nanos, cause.inFlight(), fromReady).entrySet().stream()
                .map(done ->
                    new RecoveredOrder(done.getKey(), cause, other.getKey(), done.getValue())));
  }

  private Stream<Map.Entry<Long, ReportReader>> others(long consumer) {
    return reports.entrySet().stream().filter(each -> each.getKey() != consumer);
  }

  double consumingSeconds() {
    return reports.values().stream().mapToLong(ReportReader::activeNanos).sum() / 1e9;
  }

  /**
   * An order that was in flight at a disruption, and that a later consumer completed. The time
   * begins at the disruption, or at the start of that consumer if it started later. It does not
   * include the time in which another disruption stopped that consumer.
   */
  record RecoveredOrder(String order, Disruption cause, long consumer, Duration after) {

    String describe() {
      return String.format(
          Locale.ROOT,
          "%s was in flight when %s; consumer %d completed it after %.1f s",
          order,
          cause.what(),
          consumer,
          after.toMillis() / 1e3);
    }
  }
}
