package io.hapax.metrics;

import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverHealth;
import io.hapax.ShadowReport;
import io.hapax.health.Problem;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Shows the health of a consumer's receivers as gauges, with the tag {@code consumer}:
 * {@code MicrometerReceiverHealth.bind(registry, "billing", receiver)}. A gauge costs no call to
 * the store. {@link MicrometerReceiverListener} shows the number of stale marks. The gauges of
 * shadow mode are zero in any other mode.
 */
public final class MicrometerReceiverHealth {

  /** What shadow mode found about a message. */
  private enum Finding {
    MARKED,
    FAILED,
    DUPLICATE,
    CONCURRENT_COPY,
    CONFLICT,
    WITHOUT_IDENTITY,
    UNJUDGED;

    long count(ShadowReport report) {
      return switch (this) {
        case MARKED -> report.marked();
        case FAILED -> report.failed();
        case DUPLICATE -> report.duplicates();
        case CONCURRENT_COPY -> report.concurrentCopies();
        case CONFLICT -> report.conflicts();
        case WITHOUT_IDENTITY -> report.withoutIdentity();
        case UNJUDGED -> report.unjudged();
      };
    }
  }

  private final List<IdempotentReceiver<?>> receivers;
  private final Supplier<List<Problem>> problems;

  private MicrometerReceiverHealth(
      List<IdempotentReceiver<?>> receivers, Supplier<List<Problem>> problems) {
    this.receivers = receivers;
    this.problems = problems;
  }

  /**
   * Registers the gauges, and replaces the ones that this consumer had.
   *
   * @param registry the registry
   * @param consumer the consumer's name, as in the receiver's builder
   * @param receivers all receivers of that consumer in this process; a gauge shows their worst
   */
  public static void bind(
      MeterRegistry registry, String consumer, IdempotentReceiver<?>... receivers) {
    List<IdempotentReceiver<?>> all = List.of(receivers);
    bind(registry, consumer, () -> problems(all), receivers);
  }

  /**
   * Registers the gauges, in place of those that this consumer had, with an adapter's problems.
   *
   * @param registry where
   * @param consumer the consumer's name, as in the receiver's builder
   * @param problems returns the present problems of the adapter and its receiver, for example
   *     {@code kafkaReceiver::problems}
   * @param receivers all receivers of that consumer in this process; the one worst off is shown
   */
  public static void bind(
      MeterRegistry registry,
      String consumer,
      Supplier<List<Problem>> problems,
      IdempotentReceiver<?>... receivers) {
    new MicrometerReceiverHealth(List.of(receivers), problems)
        .register(new Meters(registry, "consumer", consumer));
  }

  private static List<Problem> problems(List<IdempotentReceiver<?>> receivers) {
    return receivers.stream().flatMap(it -> it.problems().stream()).toList();
  }

  private void register(Meters meters) {
    registerHealth(meters);
    registerShadow(meters);
  }

  private void registerShadow(Meters meters) {
    meters.gauges(
        "hapax.shadow.messages",
        "messages",
        "Messages that shadow mode has seen, by what it found",
        "finding",
        Finding.class,
        finding -> shadowReports().mapToLong(finding::count).sum());
    meters.gauge(
        "hapax.shadow.retention",
        "seconds",
        "Longest time between the settlement of a mark and a duplicate in shadow mode",
        () -> shadowReports()
            .mapToDouble(it -> it.neededRetention().toNanos() / 1e9)
            .max()
            .orElse(0));
  }

  private Stream<ShadowReport> shadowReports() {
    return receivers.stream().flatMap(it -> it.shadowReport().stream());
  }

  private void registerHealth(Meters meters) {
    meters.gauge(
        "hapax.store.reachable",
        "ratio",
        "Whether the latest call to the store was answered",
        () -> healths().allMatch(ReceiverHealth::storeReachable) ? 1 : 0);
    meters.gauges(
        "hapax.receiver.problems",
        "problems",
        "Problems that keep messages from moving, at most 21 in all",
        "kind",
        Problem.Kind.class,
        kind -> problems.get().stream().filter(it -> it.kind() == kind).count());
    meters.gauge(
        "hapax.settled.age",
        "seconds",
        "Time since the latest settlement",
        () -> longest(ReceiverHealth::sinceSettled).orElse(Double.NaN));
    meters.gauge(
        "hapax.unfinished.age",
        "seconds",
        "Time since the oldest message without an outcome was submitted",
        () -> longest(ReceiverHealth::oldestUnfinished).orElse(0.0));
  }

  private Stream<ReceiverHealth> healths() {
    return receivers.stream().map(IdempotentReceiver::health);
  }

  private Optional<Double> longest(Function<ReceiverHealth, Optional<Duration>> age) {
    return healths()
        .flatMap(it -> age.apply(it).stream())
        .map(it -> it.toNanos() / 1e9)
        .max(Double::compare);
  }
}
