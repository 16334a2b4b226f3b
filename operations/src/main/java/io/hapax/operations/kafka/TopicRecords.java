package io.hapax.operations.kafka;

import io.hapax.kafka.internal.BrokerView;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;

/**
 * Reads records with a consumer that belongs to no group, and asks the brokers where partitions
 * begin and end. Omits records that retention removes meanwhile.
 */
final class TopicRecords<K, V> implements TopicReader<ConsumerRecord<K, V>> {

  private static final List<String> OF_A_GROUP = List.of(
      ConsumerConfig.GROUP_ID_CONFIG,
      ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
      ConsumerConfig.GROUP_PROTOCOL_CONFIG,
      ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);
  /** Between partition and offset, as the receiver writes where a record is. */
  private static final String AT = "@";

  private static final Duration POLL = Duration.ofMillis(500);

  private final BrokerView brokers;
  private final ListOffsetsOptions isolation;
  private final Map<String, Object> reading;
  private final Duration patience;

  /**
   * Connects, with properties that {@link #withoutGroup} returned.
   *
   * @throws AuditFailedException if the properties do not make a valid client
   */
  TopicRecords(Map<String, Object> reading, Duration patience) {
    String level = String.valueOf(reading.get(ConsumerConfig.ISOLATION_LEVEL_CONFIG));
    this.isolation = new ListOffsetsOptions(IsolationLevel.valueOf(level.toUpperCase(Locale.ROOT)));
    this.reading = reading;
    this.patience = patience;
    try {
      this.brokers = BrokerView.open(reading, patience);
    } catch (KafkaException e) {
      throw Text.of("brokers.unreachable", String.valueOf(e.getMessage())).failure(e);
    }
  }

  /**
   * Returns the properties of a consumer that belongs to no group and never commits. Unless given,
   * its isolation level is {@code read_committed}.
   */
  static Map<String, Object> withoutGroup(Map<?, ?> given) {
    Map<String, Object> properties = new HashMap<>();
    given.forEach((name, value) -> properties.put(String.valueOf(name), value));
    OF_A_GROUP.forEach(properties::remove);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    properties.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.putIfAbsent(ConsumerConfig.CLIENT_ID_CONFIG, "hapax-audit");
    properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
    return Map.copyOf(properties);
  }

  BrokerView brokers() {
    return brokers;
  }

  @Override
  public List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException {
    List<TopicPartition> partitions = partitions(part);
    Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest());
    Map<TopicPartition, Long> begins = offsets(partitions, OffsetSpec.earliest());
    Map<TopicPartition, Long> starts = from instanceof StartingPoint.Time time
        ? offsets(partitions, OffsetSpec.forTimestamp(Math.max(0, time.instant().toEpochMilli())))
        : Map.of();
    List<ScannedRange> ranges = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      long begin = begins.getOrDefault(partition, 0L);
      ranges.add(TopicReader.range(
          partition.toString(),
          begin,
          ends.getOrDefault(partition, begin),
          from,
          time -> starts.getOrDefault(partition, -1L)));
    }
    return ranges;
  }

  private List<TopicPartition> partitions(TopicPart part) throws InterruptedException {
    List<Integer> all = brokers.partitions(part.topic());
    if (all.isEmpty()) {
      throw Text.of("topic.unknown", part.topic()).refusal();
    }
    for (int wanted : part.partitions()) {
      if (!all.contains(wanted)) {
        throw Text.of("topic.partition", wanted, part.topic(), all.size()).refusal();
      }
    }
    return all.stream()
        .filter(part::holds)
        .sorted()
        .map(it -> new TopicPartition(part.topic(), it))
        .toList();
  }

  private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, OffsetSpec spec)
      throws InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    partitions.forEach(it -> wanted.put(it, spec));
    Map<TopicPartition, ListOffsetsResultInfo> found =
        brokers.await(brokers.admin().listOffsets(wanted, isolation).all());
    Map<TopicPartition, Long> offsets = new HashMap<>();
    found.forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }

  static TopicPartition partition(String place) {
    int dash = place.lastIndexOf('-');
    return new TopicPartition(
        place.substring(0, dash), Integer.parseInt(place.substring(dash + 1)));
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
      throw Text.of("topic.unreadable", String.valueOf(e.getMessage())).failure(e);
    }
  }

  @Override
  public void close() {
    brokers.close();
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
          TopicPartition partition = partition(range.place());
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
          throw Text.of("brokers.silent", patience, open.keySet()).failure();
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
          throw Text.of("topic.truncated", partition, begin).failure();
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
