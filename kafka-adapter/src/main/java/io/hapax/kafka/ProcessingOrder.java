package io.hapax.kafka;

import io.hapax.adapter.Ordering;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Which records of a partition run one after the other. In each order, the receiver commits nothing
 * beyond the lowest record that is not settled. After a crash, Kafka redelivers what was completed
 * above it; the store knows these records, and they do not run again.
 */
public enum ProcessingOrder {

  /** All records of a partition, in the order of the partition. */
  PARTITION,

  /**
   * The records of a partition that have the same key. A record that is slow, waits or fails for
   * good holds back only those of its key. Records without a key have no order.
   *
   * <p>Deserialized keys are compared by {@code equals}, and {@code byte[]} by content. All keys of
   * a class that does not define {@code equals} count as one.
   */
  KEY,

  /** None: a record holds back no other. */
  NONE;

  <K, V> Ordering<ConsumerRecord<K, V>> ordering() {
    return switch (this) {
      case PARTITION -> Ordering.byPartition();
      case KEY -> Ordering.byKey(ConsumerRecord::key);
      case NONE -> Ordering.none();
    };
  }
}
