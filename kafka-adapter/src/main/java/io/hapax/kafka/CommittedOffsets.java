package io.hapax.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads how far a consumer group has committed, and the ids of topics. Errors of the brokers are
 * {@link AuditFailedException}s. Thread-safe.
 */
final class CommittedOffsets implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final BrokerView brokers;
  private final String group;

  private CommittedOffsets(BrokerView brokers, String group) {
    this.brokers = brokers;
    this.group = group;
  }

  static CommittedOffsets open(Map<String, Object> properties, String group) {
    return new CommittedOffsets(BrokerView.open(properties, PATIENCE), group);
  }

  /**
   * Returns the committed offsets, without an entry where there is none. Repeats the question while
   * a transaction is open, so that no commit that has begun is missed.
   */
  Map<TopicPartition, Long> of(Set<TopicPartition> partitions) throws InterruptedException {
    if (partitions.isEmpty()) {
      return Map.of();
    }
    Map<TopicPartition, OffsetAndMetadata> found = brokers.await(brokers
        .admin()
        .listConsumerGroupOffsets(
            Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(partitions)),
            new ListConsumerGroupOffsetsOptions().requireStable(true))
        .partitionsToOffsetAndMetadata(group));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    found.forEach((partition, offset) -> {
      if (offset != null) {
        offsets.put(partition, offset.offset());
      }
    });
    return offsets;
  }

  Map<String, String> topicIds(Collection<String> topics) throws InterruptedException {
    Map<String, String> ids = new HashMap<>();
    for (String topic : topics) {
      brokers.topic(topic).ifPresent(it -> ids.put(topic, it.topicId().toString()));
    }
    return ids;
  }

  @Override
  public void close() {
    brokers.close();
  }
}
