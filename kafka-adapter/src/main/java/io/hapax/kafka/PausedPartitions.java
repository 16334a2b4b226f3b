package io.hapax.kafka;

import io.hapax.kafka.internal.OwnedPartitions;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Remembers until when partitions of a consumer are paused. Belongs to the poll thread. */
final class PausedPartitions {

  private final Map<TopicPartition, Long> dueNanos = new HashMap<>();

  /** Notes when a partition, which the caller pauses, has to be resumed. */
  void until(TopicPartition partition, long nanos) {
    dueNanos.put(partition, nanos);
  }

  /** Resumes the partitions whose time has come. */
  void resumeDue(Consumer<?, ?> consumer) {
    long now = System.nanoTime();
    Set<TopicPartition> due = new HashSet<>();
    dueNanos.forEach((partition, nanos) -> {
      if (nanos - now <= 0) {
        due.add(partition);
      }
    });
    dueNanos.keySet().removeAll(due);
    due.retainAll(consumer.paused());
    OwnedPartitions.of(due, consumer::resume);
  }

  /** Forgets partitions, which are not resumed any more. */
  void forget(Collection<TopicPartition> partitions) {
    dueNanos.keySet().removeAll(partitions);
  }
}
