package io.hapax.kafka.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds where a poll began, and the positions of its consumer after it, which may be committed once
 * its records are settled. kafka-clients before 4.0 report none, and a poll that an interceptor
 * made anew may have none. Then it is the offset behind the last record: never too high, but too
 * low by transaction markers that follow it. An interceptor may leave a partition without a record.
 *
 * @param before the offsets of the first records
 * @param after the reported offsets; if none is reported, those behind the last records
 */
public record PolledPositions(
    Map<TopicPartition, OffsetAndMetadata> before, Map<TopicPartition, OffsetAndMetadata> after) {

  /** Whether the client reports the positions after a poll. */
  public static final boolean REPORTED = areReported();

  private static final String MOVED = ": an interceptor of the consumer must not move records to"
      + " another partition, because the offsets of their own one would be committed";

  private static boolean areReported() {
    try {
      var unused = ConsumerRecords.empty().nextOffsets();
      return true;
    } catch (NoSuchMethodError e) { // kafka-clients 3.9
      return false;
    }
  }

  /**
   * Returns the positions of a poll.
   *
   * @throws AlteredPollException if an interceptor has moved, split or turned records of the poll
   */
  public static PolledPositions of(ConsumerRecords<?, ?> polled) {
    return of(polled, REPORTED ? polled.nextOffsets() : Map.of());
  }

  /** Does the same with the offsets that the client has reported, if any. */
  public static PolledPositions of(
      ConsumerRecords<?, ?> polled, Map<TopicPartition, OffsetAndMetadata> reported) {
    PolledPositions positions = new PolledPositions(new HashMap<>(), new HashMap<>(reported));
    for (TopicPartition partition : polled.partitions()) {
      List<? extends ConsumerRecord<?, ?>> records = polled.records(partition);
      if (!records.isEmpty()) {
        if (!reported.isEmpty() && !reported.containsKey(partition)) {
          throw new AlteredPollException(
              "a poll of " + reported.keySet() + " has records of " + polled.partitions() + MOVED);
        }
        positions.add(partition, records);
      }
    }
    return positions;
  }

  private void add(TopicPartition partition, List<? extends ConsumerRecord<?, ?>> records) {
    requireRising(partition, records);
    before.put(partition, new OffsetAndMetadata(records.get(0).offset()));
    ConsumerRecord<?, ?> last = records.get(records.size() - 1);
    OffsetAndMetadata reported = after.putIfAbsent(
        partition, new OffsetAndMetadata(last.offset() + 1, last.leaderEpoch(), ""));
    if (reported != null && reported.offset() <= last.offset()) {
      throw new AlteredPollException(partition + ": a poll that ended before offset "
          + reported.offset() + " has a record of offset " + last.offset() + MOVED);
    }
  }

  /** Of two records with one offset, the second would be taken for the first, read again. */
  private static void requireRising(
      TopicPartition partition, List<? extends ConsumerRecord<?, ?>> records) {
    long before = -1;
    for (ConsumerRecord<?, ?> record : records) {
      if (record.offset() <= before) {
        throw new AlteredPollException(partition + ": a poll has a record of offset "
            + record.offset() + " behind one of offset " + before + ". An interceptor must neither"
            + " make further records nor turn their order: let the handler do that");
      }
      before = record.offset();
    }
  }
}
