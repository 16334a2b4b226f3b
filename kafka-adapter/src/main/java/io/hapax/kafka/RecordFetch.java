package io.hapax.kafka;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the record of one place, as a member of no group.
 *
 * @param brokers who knows where a partition begins and ends
 * @param reading properties of a consumer without a group
 * @param patience how long the brokers may say nothing
 * @param <K> the record's key
 * @param <V> the record's value
 */
record RecordFetch<K, V>(BrokerView brokers, Map<String, Object> reading, Duration patience) {

  /**
   * Returns the record at a place; empty if the log does not hold it any more, or if the offset is
   * not that of a record.
   */
  Optional<ConsumerRecord<K, V>> at(RecordPlace place) throws InterruptedException {
    TopicPartition partition = place.partition();
    TopicPart part = new TopicPart(partition.topic(), Set.of(partition.partition()));
    long offset = place.offset();
    boolean there = brokers.ranges(part, StartingPoint.beginning()).values().stream()
        .anyMatch(it -> it.from() <= offset && offset < it.to());
    List<ConsumerRecord<K, V>> found = new ArrayList<>();
    if (there) {
      try (Consumer<K, V> reader = RecordHandouts.consumer(reading)) {
        new TopicScan<>(reader, sinkOf(found), AuditProgress.NONE, patience)
            .read(List.of(PartitionRange.of(partition, offset, offset + 1)));
      } catch (KafkaException e) {
        throw KafkaAudit.failed(e);
      }
    }
    return found.stream().findFirst();
  }

  private static <K, V> RecordSink<K, V> sinkOf(List<ConsumerRecord<K, V>> found) {
    return new RecordSink<>() {
      @Override
      public void add(ConsumerRecord<K, V> record, String coordinates) {
        found.add(record);
      }

      @Override
      public void addUnreadable(String coordinates, String why) {
        throw new AuditFailedException("the record at " + coordinates + " cannot be read: " + why);
      }
    };
  }
}
