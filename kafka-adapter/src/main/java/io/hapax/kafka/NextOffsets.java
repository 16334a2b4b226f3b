package io.hapax.kafka;

import io.hapax.kafka.internal.AlteredPollException;
import io.hapax.kafka.internal.OwnedPartitions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the position of a consumer after a poll, which may be committed once its records are done.
 * kafka-clients before 4.0 report none. Then it is the offset behind the last record: never too
 * high, but too low by transaction markers that follow it.
 */
final class NextOffsets {

  private static final Logger LOG = LoggerFactory.getLogger(NextOffsets.class);

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

  static Map<TopicPartition, OffsetAndMetadata> of(ConsumerRecords<?, ?> records) {
    return REPORTED ? merged(records, records.nextOffsets()) : behindLast(records);
  }

  /**
   * Returns the reported offsets, or the one behind the last record where that is higher: a poll
   * that an interceptor of the application made anew reports none.
   *
   * @throws AlteredPollException if records are of partitions that report no position
   */
  static Map<TopicPartition, OffsetAndMetadata> merged(
      ConsumerRecords<?, ?> records, Map<TopicPartition, OffsetAndMetadata> reported) {
    if (!reported.isEmpty() && !reported.keySet().containsAll(records.partitions())) {
      throw new AlteredPollException("a poll of " + reported.keySet() + " has records of "
          + records.partitions()
          + ": an interceptor of the consumer must not move records to another"
          + " partition, because the offsets of their own one would be committed");
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(reported);
    behindLast(records)
        .forEach((partition, behind) -> offsets.merge(
            partition, behind, (one, other) -> other.offset() > one.offset() ? other : one));
    return offsets;
  }

  /** Call it once the partitions have the records: the position then covers no other one. */
  static void passMarkers(
      Consumer<?, ?> consumer, Collection<? extends AssignedPartition<?, ?>> partitions) {
    if (!REPORTED) {
      passMarkersOf(consumer, partitions);
    }
  }

  /** Does the same with every client. A position that is not known at once is left out. */
  static void passMarkersOf(
      Consumer<?, ?> consumer, Collection<? extends AssignedPartition<?, ?>> partitions) {
    for (AssignedPartition<?, ?> each : partitions) {
      if (each.position().isPresent() && consumer.assignment().contains(each.partition())) {
        try {
          OwnedPartitions.of(
              each.partition(),
              () -> each.advanced(consumer.position(each.partition(), Duration.ZERO)));
        } catch (WakeupException | RetriableException e) {
          LOG.trace("The position of {} is not known now", each.partition(), e);
        }
      }
    }
  }

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
