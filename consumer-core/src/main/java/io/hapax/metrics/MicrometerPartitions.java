package io.hapax.metrics;

import io.hapax.health.PartitionStatus;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Shows how far a consumer is in its partitions as gauges, with the tag {@code consumer}:
 * {@code MicrometerPartitions.bind(registry, "billing", kafkaReceiver::partitions)}. Each gauge is
 * a sum over the partitions that this process has at the moment, and costs no call to the broker.
 */
public final class MicrometerPartitions {

  private MicrometerPartitions() {}

  /**
   * Registers the gauges, and replaces the ones that this consumer had.
   *
   * @param registry the registry
   * @param consumer the consumer's name, as in the receiver's builder
   * @param partitions returns the partitions of all adapters of that consumer in this process
   */
  public static void bind(
      MeterRegistry registry, String consumer, Supplier<List<PartitionStatus>> partitions) {
    Meters meters = new Meters(registry, "consumer", consumer);
    meters.gauge(
        "hapax.in.flight",
        "messages",
        "Messages that were submitted and have no outcome",
        () -> sum(partitions, PartitionStatus::inFlight));
    meters.gauges(
        "hapax.partitions.paused",
        "partitions",
        "Partitions from which nothing more is read for now",
        "reason",
        PartitionStatus.Pause.class,
        reason -> partitions.get().stream()
            .filter(it -> it.pause().filter(reason::equals).isPresent())
            .count());
    meters.gauge(
        "hapax.commit.lag",
        "offsets",
        "Offsets that were read and not committed",
        () -> sum(partitions, PartitionStatus::commitLag));
    meters.gauge(
        "hapax.consumer.lag",
        "offsets",
        "Offsets that were not read yet",
        () -> lag(partitions.get()));
  }

  private static Number sum(
      Supplier<List<PartitionStatus>> partitions, ToLongFunction<PartitionStatus> figure) {
    return partitions.get().stream().mapToLong(figure).sum();
  }

  /** A sum without a partition would look like a consumer that has caught up. */
  private static Number lag(List<PartitionStatus> partitions) {
    return partitions.stream().anyMatch(it -> it.lag().isEmpty())
        ? Double.NaN
        : (Number) partitions.stream()
            .map(PartitionStatus::lag)
            .mapToLong(OptionalLong::getAsLong)
            .sum();
  }
}
