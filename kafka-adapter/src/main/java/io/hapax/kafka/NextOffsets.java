package io.hapax.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the position of a consumer after a poll. kafka-clients from 4.0 on report it with the
 * records. For older clients it is the offset behind the last record of a partition. That is never
 * too high. It is too low by the markers of transactions that follow the last record.
 */
final class NextOffsets {

  private static final boolean REPORTED = areReported();

  private NextOffsets() {}

  private static boolean areReported() {
    try {
      var unused = ConsumerRecords.empty().nextOffsets();
      return true;
    } catch (NoSuchMethodError e) { // kafka-clients 3.9
      return false;
    }
  }

  /** Returns the offsets that the consumer fetches next in the partitions of a poll. */
  static Map<TopicPartition, OffsetAndMetadata> of(ConsumerRecords<?, ?> records) {
    return REPORTED ? records.nextOffsets() : behindLast(records);
  }

  /** Returns the offset behind the last record of each partition, with its leader epoch. */
  static Map<TopicPartition, OffsetAndMetadata> behindLast(ConsumerRecords<?, ?> records) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : records.partitions()) {
      List<? extends ConsumerRecord<?, ?>> ofPartition = records.records(partition);
      ConsumerRecord<?, ?> last = ofPartition.get(ofPartition.size() - 1);
      offsets.put(partition, new OffsetAndMetadata(last.offset() + 1, last.leaderEpoch(), ""));
    }
    return offsets;
  }
}
