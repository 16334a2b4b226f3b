package io.hapax.kafka;

import io.hapax.health.PartitionStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Publishes how far a consumer is in its partitions. Only the poll thread may ask the client for
 * its lag, so the thread leaves a snapshot for those who read meters.
 */
final class PartitionSnapshots<K, V> {

  private static final long EVERY_NANOS = Duration.ofMillis(250).toNanos();

  private final Consumer<K, V> consumer;
  private final PollLoop.Bounds bounds;
  private volatile List<PartitionStatus> latest = List.of();
  private long dueNanos = System.nanoTime();

  PartitionSnapshots(Consumer<K, V> consumer, PollLoop.Bounds bounds) {
    this.consumer = consumer;
    this.bounds = bounds;
  }

  /** Takes a snapshot unless the latest one is new. For the poll thread. */
  void refresh(Collection<AssignedPartition<K, V>> partitions, long nowNanos) {
    if (nowNanos - dueNanos >= 0) {
      dueNanos = nowNanos + EVERY_NANOS;
      latest = partitions.stream()
          .map(it -> it.status(bounds.window(), bounds.most(), nowNanos, lag(it.partition())))
          .toList();
    }
  }

  private OptionalLong lag(TopicPartition partition) {
    return consumer.assignment().contains(partition)
        ? consumer.currentLag(partition)
        : OptionalLong.empty();
  }

  void clear() {
    latest = List.of();
  }

  List<PartitionStatus> latest() {
    return latest;
  }
}
