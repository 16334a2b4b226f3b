package io.hapax.kafka;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditProgress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;

/**
 * Reads parts of partitions to their ends. The end is a position, not a count and not a record: the
 * client never returns control records, compacted records and aborted ones.
 */
final class TopicScan<K, V> {

  /** Between partition and offset, as the receiver writes where a record is. */
  private static final String AT = "@";

  private static final Duration POLL = Duration.ofMillis(500);

  private final Consumer<K, V> consumer;
  private final RecordSink<K, V> sink;
  private final AuditProgress progress;
  private final Duration patience;
  private final Map<TopicPartition, PartitionRange> open = new HashMap<>();
  private long behind;
  private long all;

  TopicScan(
      Consumer<K, V> consumer, RecordSink<K, V> sink, AuditProgress progress, Duration patience) {
    this.consumer = consumer;
    this.sink = sink;
    this.progress = progress;
    this.patience = patience;
  }

  void read(List<PartitionRange> ranges) throws InterruptedException {
    ranges.stream()
        .filter(it -> it.range().length() > 0)
        .forEach(it -> open.put(it.partition(), it));
    all = ranges.stream().mapToLong(it -> it.range().length()).sum();
    consumer.assign(open.keySet());
    open.values().forEach(it -> consumer.seek(it.partition(), it.from()));
    progress.at(0, all);
    long movedNanos = System.nanoTime();
    while (!open.isEmpty()) {
      boolean moved = take(poll());
      if (moved) {
        movedNanos = System.nanoTime();
      } else if (System.nanoTime() - movedNanos > patience.toNanos()) {
        throw new AuditFailedException(
            "no record has arrived for " + patience + " from " + open.keySet());
      }
    }
  }

  private ConsumerRecords<K, V> poll() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    try {
      return consumer.poll(POLL);
    } catch (RecordDeserializationException e) {
      TopicPartition partition = e.topicPartition();
      sink.addUnreadable(partition + AT + e.offset(), String.valueOf(e));
      consumer.seek(partition, e.offset() + 1);
    } catch (OffsetOutOfRangeException e) {
      skipRemoved(e.partitions());
    }
    return ConsumerRecords.empty();
  }

  /** Skips records that retention has removed meanwhile. Fails if the partition has another log. */
  private void skipRemoved(Set<TopicPartition> partitions) {
    consumer.beginningOffsets(partitions).forEach((partition, begin) -> {
      PartitionRange range = open.get(partition);
      if (range == null || begin <= consumer.position(partition)) {
        throw new AuditFailedException(
            partition + " was truncated or created anew while it was read: it begins at " + begin);
      }
      consumer.seek(partition, Math.min(begin, range.to()));
    });
  }

  /** Whether any partition has moved on. */
  private boolean take(ConsumerRecords<K, V> records) throws InterruptedException {
    for (TopicPartition partition : records.partitions()) {
      PartitionRange range = open.get(partition);
      if (range != null) {
        take(records.records(partition), partition, range.to());
      }
    }
    long before = behind;
    behind = all;
    for (PartitionRange range : List.copyOf(open.values())) {
      long position = consumer.position(range.partition());
      if (position >= range.to()) {
        open.remove(range.partition());
        consumer.pause(Set.of(range.partition()));
      } else {
        behind -= range.to() - position;
      }
    }
    progress.at(behind, all);
    return behind > before;
  }

  private void take(List<ConsumerRecord<K, V>> records, TopicPartition partition, long end)
      throws InterruptedException {
    String place = partition + AT; // once, not for each record
    for (ConsumerRecord<K, V> record : records) {
      if (record.offset() >= end) {
        return;
      }
      sink.add(RecordHandouts.received(record), place + record.offset());
    }
  }
}
