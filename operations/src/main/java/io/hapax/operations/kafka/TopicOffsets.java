package io.hapax.operations.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Asks the brokers where the partitions of topics begin and end, as a consumer without a group. */
final class TopicOffsets implements AutoCloseable {

  private static final List<String> OF_A_GROUP = List.of(
      ConsumerConfig.GROUP_ID_CONFIG,
      ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
      ConsumerConfig.GROUP_PROTOCOL_CONFIG,
      ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);

  private final BrokerView brokers;
  private final ListOffsetsOptions isolation;

  private TopicOffsets(BrokerView brokers, IsolationLevel isolation) {
    this.brokers = brokers;
    this.isolation = new ListOffsetsOptions(isolation);
  }

  /**
   * Connects.
   *
   * @param reading properties that {@link #withoutGroup} returned
   * @throws AuditFailedException if the properties do not make a valid client
   */
  static TopicOffsets open(Map<String, Object> reading, Duration patience) {
    String level = String.valueOf(reading.get(ConsumerConfig.ISOLATION_LEVEL_CONFIG));
    try {
      return new TopicOffsets(
          BrokerView.open(reading, patience),
          IsolationLevel.valueOf(level.toUpperCase(Locale.ROOT)));
    } catch (KafkaException e) {
      throw new AuditFailedException("the brokers cannot be reached: " + e.getMessage(), e);
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

  /** Returns ranges as {@link TopicReader#ranges} does. */
  List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException {
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
      throw new IllegalArgumentException("topic " + part.topic() + " does not exist");
    }
    for (int wanted : part.partitions()) {
      if (!all.contains(wanted)) {
        throw new IllegalArgumentException("partition " + wanted + " of topic " + part.topic()
            + " does not exist: it has " + all.size());
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

  /** Returns the partition of a range or a move. */
  static TopicPartition partition(String place) {
    int dash = place.lastIndexOf('-');
    return new TopicPartition(
        place.substring(0, dash), Integer.parseInt(place.substring(dash + 1)));
  }

  @Override
  public void close() {
    brokers.close();
  }
}
