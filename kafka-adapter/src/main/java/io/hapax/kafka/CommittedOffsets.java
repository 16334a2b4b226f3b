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

/** Errors of the brokers are {@link AuditFailedException}s. Thread-safe. */
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

  /** Waits for transactions that are about to change them: their commit may have begun. */
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
