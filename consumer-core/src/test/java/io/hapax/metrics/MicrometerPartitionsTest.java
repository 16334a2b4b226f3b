package io.hapax.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.health.PartitionStatus;
import io.hapax.health.PartitionStatus.Pause;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How far a consumer is in its partitions, on a dashboard. */
class MicrometerPartitionsTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicReference<List<PartitionStatus>> partitions =
      new AtomicReference<>(List.of());

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  @Test
  void gauges_are_sums_over_the_partitions_of_the_moment() {
    MicrometerPartitions.bind(registry, "billing", partitions::get);
    assertThat(gauge("hapax.in.flight", "consumer", "billing")).isZero();

    partitions.set(List.of(
        new PartitionStatus("orders-0", 3, 2, Optional.empty(), 9, OptionalLong.of(100)),
        new PartitionStatus(
            "orders-1", 1, 0, Optional.of(Pause.DEFERRED), 4, OptionalLong.of(20))));

    assertThat(gauge("hapax.in.flight")).isEqualTo(4);
    assertThat(gauge("hapax.partitions.paused", "reason", "deferred")).isEqualTo(1);
    assertThat(gauge("hapax.partitions.paused", "reason", "backpressure")).isZero();
    assertThat(gauge("hapax.commit.lag")).isEqualTo(13);
    assertThat(gauge("hapax.consumer.lag")).isEqualTo(120);
  }

  @Test
  void a_lag_that_is_not_known_is_not_shown_as_zero() {
    MicrometerPartitions.bind(registry, "billing", partitions::get);

    partitions.set(List.of(
        new PartitionStatus("orders-0", 0, 0, Optional.empty(), 0, OptionalLong.empty()),
        new PartitionStatus("orders-1", 0, 0, Optional.empty(), 0, OptionalLong.of(7))));

    assertThat(gauge("hapax.consumer.lag")).isNaN();
  }
}
