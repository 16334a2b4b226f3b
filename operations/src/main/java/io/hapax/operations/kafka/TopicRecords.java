package io.hapax.operations.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;

/**
 * Reads records with a consumer that belongs to no group. Omits records that retention removes
 * meanwhile.
 *
 * @param topics the connection to the brokers
 * @param reading the properties of the consumer
 * @param patience the longest wait for the next record
 * @param <K> the record's key
 * @param <V> the record's value
 */
record TopicRecords<K, V>(TopicOffsets topics, Map<String, Object> reading, Duration patience)
    implements TopicReader<ConsumerRecord<K, V>> {

  /** Between partition and offset, as the receiver writes where a record is. */
  private static final String AT = "@";

  private static final Duration POLL = Duration.ofMillis(500);

  @Override
  public List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException {
    return topics.ranges(part, from);
  }

  @Override
  public void read(
      TopicPart part,
      List<ScannedRange> ranges,
      Sink<ConsumerRecord<K, V>> sink,
      AuditProgress progress)
      throws InterruptedException {
    try (Consumer<K, V> consumer = new KafkaConsumer<>(reading)) {
      new Scan<>(consumer, sink, progress, patience).read(ranges);
    } catch (KafkaException e) {
      throw new AuditFailedException("the topic cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    topics.close();
  }

  /**
   * Reads parts of partitions to their ends. The end is a position, not a count and not a record:
   * the client never returns control records, compacted records and aborted ones.
   */
  private static final class Scan<K, V> {

    private final Consumer<K, V> consumer;
    private final Sink<ConsumerRecord<K, V>> sink;
    private final AuditProgress progress;
    private final Duration patience;

    /** The ends of the partitions that are not read to their ends. */
    private final Map<TopicPartition, Long> open = new HashMap<>();

    private long behind;
    private long all;

    Scan(
        Consumer<K, V> consumer,
        Sink<ConsumerRecord<K, V>> sink,
        AuditProgress progress,
        Duration patience) {
      this.consumer = consumer;
      this.sink = sink;
      this.progress = progress;
      this.patience = patience;
    }

    void read(List<ScannedRange> ranges) throws InterruptedException {
      Map<TopicPartition, Long> starts = new HashMap<>();
      for (ScannedRange range : ranges) {
        all += range.length();
        if (range.length() > 0) {
          TopicPartition partition = TopicOffsets.partition(range.place());
          open.put(partition, range.to());
          starts.put(partition, range.from());
        }
      }
      consumer.assign(open.keySet());
      starts.forEach(consumer::seek);
      progress.at(0, all);
      long movedNanos = System.nanoTime();
      while (!open.isEmpty()) {
        if (take(poll())) {
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

    /** Skips records that retention has removed. Fails if the partition has another log. */
    private void skipRemoved(Set<TopicPartition> partitions) {
      consumer.beginningOffsets(partitions).forEach((partition, begin) -> {
        Long end = open.get(partition);
        if (end == null || begin <= consumer.position(partition)) {
          throw new AuditFailedException(partition
              + " was truncated or created anew while it was read: it begins at " + begin);
        }
        consumer.seek(partition, Math.min(begin, end));
      });
    }

    /** Takes records, and returns whether any partition has moved on. */
    private boolean take(ConsumerRecords<K, V> records) throws InterruptedException {
      for (TopicPartition partition : records.partitions()) {
        take(records.records(partition), partition, open.getOrDefault(partition, 0L));
      }
      long before = behind;
      behind = all;
      for (Map.Entry<TopicPartition, Long> one : Map.copyOf(open).entrySet()) {
        long position = consumer.position(one.getKey());
        if (position >= one.getValue()) {
          open.remove(one.getKey());
          consumer.pause(Set.of(one.getKey()));
        } else {
          behind -= one.getValue() - position;
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
        sink.add(record, place + record.offset());
      }
    }
  }
}
