package io.hapax.kafka;

import io.hapax.health.Problems;
import io.hapax.kafka.internal.OwnedPartitions;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Until when partitions are paused, and why they do not move. Belongs to the poll thread. */
final class PausedPartitions {

  private final Map<TopicPartition, Long> dueNanos = new HashMap<>();
  private final Map<TopicPartition, Problems.Found> found = new HashMap<>();

  void until(TopicPartition partition, long nanos) {
    dueNanos.put(partition, nanos);
  }

  void found(TopicPartition partition, Problems.Found problem) {
    found.put(partition, problem);
  }

  void moves(TopicPartition partition) {
    found.remove(partition);
  }

  Collection<Problems.Found> problems() {
    return found.values();
  }

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

  void forget(Collection<TopicPartition> partitions) {
    dueNanos.keySet().removeAll(partitions);
    found.keySet().removeAll(partitions);
  }
}
