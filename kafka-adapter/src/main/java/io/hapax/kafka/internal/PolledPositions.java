package io.hapax.kafka.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds where a poll began, and the position of its consumer after it, which may be committed once
 * its records are done. kafka-clients before 4.0 report none. Then it is the offset behind the last
 * record: never too high, but too low by transaction markers that follow it. An interceptor may
 * leave a partition without a record.
 */
public final class PolledPositions {

  /** Whether the client reports the positions after a poll. */
  public static final boolean REPORTED = areReported();

  private PolledPositions() {}

  private static boolean areReported() {
    try {
      var unused = ConsumerRecords.empty().nextOffsets();
      return true;
    } catch (NoSuchMethodError e) { // kafka-clients 3.9
      return false;
    }
  }

  /**
   * Returns the offsets of the first records.
   *
   * @throws AlteredPollException if an interceptor has moved or split records of the poll
   */
  public static Map<TopicPartition, OffsetAndMetadata> before(ConsumerRecords<?, ?> records) {
    var unused = after(records);
    Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();
    byPartition(records)
        .forEach((partition, all) ->
            beginnings.put(partition, new OffsetAndMetadata(all.get(0).offset())));
    return beginnings;
  }

  /**
   * Returns the positions after a poll.
   *
   * @throws AlteredPollException if an interceptor has moved or split records of the poll
   */
  public static Map<TopicPartition, OffsetAndMetadata> after(ConsumerRecords<?, ?> records) {
    byPartition(records).forEach(PolledPositions::requireRising);
    return REPORTED ? merged(records, records.nextOffsets()) : behindLast(records);
  }

  /** Of two records with one offset, the second would be taken for the first, read again. */
  private static void requireRising(
      TopicPartition partition, List<? extends ConsumerRecord<?, ?>> records) {
    long before = -1;
    for (ConsumerRecord<?, ?> record : records) {
      if (record.offset() <= before) {
        throw new AlteredPollException(partition + ": a poll has a record of offset "
            + record.offset() + " behind one of offset " + before + ". An interceptor of the"
            + " consumer must not make further records: let the handler split a record");
      }
      before = record.offset();
    }
  }

  /**
   * Returns the reported offsets, or the one behind the last record where that is higher: a poll
   * that an interceptor of the application made anew reports none.
   *
   * @throws AlteredPollException if records are of partitions that report no position
   */
  public static Map<TopicPartition, OffsetAndMetadata> merged(
      ConsumerRecords<?, ?> records, Map<TopicPartition, OffsetAndMetadata> reported) {
    Map<TopicPartition, OffsetAndMetadata> behindLast = behindLast(records);
    if (!reported.isEmpty() && !reported.keySet().containsAll(behindLast.keySet())) {
      throw new AlteredPollException("a poll of " + reported.keySet() + " has records of "
          + behindLast.keySet()
          + ": an interceptor of the consumer must not move records to another"
          + " partition, because the offsets of their own one would be committed");
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(reported);
    behindLast.forEach((partition, behind) -> offsets.merge(
        partition, behind, (one, other) -> other.offset() > one.offset() ? other : one));
    return offsets;
  }

  /** Returns the offsets behind the last records. */
  public static Map<TopicPartition, OffsetAndMetadata> behindLast(ConsumerRecords<?, ?> records) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    byPartition(records).forEach((partition, all) -> {
      ConsumerRecord<?, ?> last = all.get(all.size() - 1);
      offsets.put(partition, new OffsetAndMetadata(last.offset() + 1, last.leaderEpoch(), ""));
    });
    return offsets;
  }

  private static Map<TopicPartition, List<? extends ConsumerRecord<?, ?>>> byPartition(
      ConsumerRecords<?, ?> polled) {
    Map<TopicPartition, List<? extends ConsumerRecord<?, ?>>> records = new HashMap<>();
    for (TopicPartition partition : polled.partitions()) {
      List<? extends ConsumerRecord<?, ?>> ofPartition = polled.records(partition);
      if (!ofPartition.isEmpty()) {
        records.put(partition, ofPartition);
      }
    }
    return records;
  }
}
