package io.hapax.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The next offsets of partitions whose records are settled and not committed by a transaction yet,
 * for example because they were duplicates. They are committed in a transaction of their own.
 * Belongs to the poll thread.
 */
final class SettledOffsets {

  /** How long offsets wait that a poll without records has reported. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  private final OutputProducer<?, ?> producer;
  private final Map<TopicPartition, OffsetAndMetadata> offsets = new LinkedHashMap<>();
  private long committedNanos = System.nanoTime();

  SettledOffsets(OutputProducer<?, ?> producer) {
    this.producer = producer;
  }

  void put(TopicPartition partition, OffsetAndMetadata offset) {
    offsets.put(partition, offset);
  }

  void forget(Collection<TopicPartition> partitions) {
    offsets.keySet().removeAll(partitions);
  }

  /** Commits the offsets, if there are any. Keeps them if that fails. */
  void commit(ConsumerGroupMetadata membership, boolean now) {
    long nanos = System.nanoTime();
    if (offsets.isEmpty() || !(now || nanos - committedNanos > IDLE.toNanos())) {
      return;
    }
    committedNanos = nanos;
    if (producer.acknowledge(Map.copyOf(offsets), membership)) {
      offsets.clear();
    }
  }
}
