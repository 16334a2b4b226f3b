package io.hapax.kafka;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What brokers say of topics: which partitions there are, where they begin and end. */
final class BrokerView implements AutoCloseable {

  private static final long BEFORE_EVERYTHING = 0;

  private final Admin admin;
  private final Duration patience;
  private final ListOffsetsOptions isolation;

  private BrokerView(Admin admin, Duration patience, IsolationLevel isolation) {
    this.admin = admin;
    this.patience = patience;
    this.isolation = new ListOffsetsOptions(isolation);
  }

  /** Connects with the properties of a consumer. */
  static BrokerView open(Map<String, Object> properties, Duration patience) {
    Map<String, Object> forAdmin = new HashMap<>(properties);
    forAdmin.keySet().retainAll(AdminClientConfig.configNames());
    int millis = (int) patience.toMillis();
    forAdmin.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    forAdmin.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    return new BrokerView(Admin.create(forAdmin), patience, isolation(properties));
  }

  private static IsolationLevel isolation(Map<String, Object> properties) {
    Object level = properties.getOrDefault(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return IsolationLevel.valueOf(String.valueOf(level).toUpperCase(Locale.ROOT));
  }

  Admin admin() {
    return admin;
  }

  /**
   * From a starting point to the end of now, for each partition of a part.
   *
   * @throws IllegalArgumentException if the topic or a partition does not exist, or ends before the
   *     starting point
   */
  Map<TopicPartition, PartitionRange> ranges(TopicPart part, StartingPoint from)
      throws InterruptedException {
    List<TopicPartition> partitions = partitions(part);
    Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest());
    Map<TopicPartition, Long> begins = offsets(partitions, OffsetSpec.earliest());
    Map<TopicPartition, Long> starts = from instanceof StartingPoint.Time time
        ? offsets(
            partitions,
            OffsetSpec.forTimestamp(Math.max(BEFORE_EVERYTHING, time.instant().toEpochMilli())))
        : begins;
    Map<TopicPartition, PartitionRange> ranges = new LinkedHashMap<>();
    for (TopicPartition partition : partitions) {
      long begin = begins.getOrDefault(partition, 0L);
      long end = Math.max(begin, ends.getOrDefault(partition, begin));
      long start = starts.getOrDefault(partition, begin);
      if (from instanceof StartingPoint.Offset offset) {
        start = Math.max(begin, offset.offset());
        if (start > end) {
          throw new IllegalArgumentException("offset is " + offset.offset() + " but " + partition
              + " ends at " + end + ": name the partitions that are meant");
        }
      } else if (from instanceof StartingPoint.Newest newest) {
        start = Math.max(begin, end - newest.offsets());
      } else if (start < 0 || start > end) {
        start = end; // nothing was sent since then
      }
      ranges.put(partition, PartitionRange.of(partition, start, end));
    }
    return ranges;
  }

  private List<TopicPartition> partitions(TopicPart part) throws InterruptedException {
    List<Integer> all = partitions(part.topic());
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

  /** The numbers of a topic's partitions; none if there is no such topic. */
  List<Integer> partitions(String topic) throws InterruptedException {
    return describe(topic)
        .map(it -> it.partitions().stream().map(TopicPartitionInfo::partition).toList())
        .orElse(List.of());
  }

  /** The id that the brokers gave a topic; empty if there is no such topic. */
  Optional<Uuid> topicId(String topic) throws InterruptedException {
    return describe(topic).map(TopicDescription::topicId);
  }

  private Optional<TopicDescription> describe(String topic) throws InterruptedException {
    try {
      return Optional.of(of(topic, await(admin.describeTopics(List.of(topic)).allTopicNames())));
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, OffsetSpec spec)
      throws InterruptedException {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    partitions.forEach(it -> wanted.put(it, spec));
    Map<TopicPartition, ListOffsetsResultInfo> found =
        await(admin.listOffsets(wanted, isolation).all());
    Map<TopicPartition, Long> offsets = new HashMap<>();
    found.forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }

  /** What brokers answered for that name. */
  static <T> T of(String name, Map<String, T> answers) {
    T answer = answers.get(name);
    if (answer == null) {
      throw new AuditFailedException("the brokers did not answer for " + name);
    }
    return answer;
  }

  /** Waits for an answer; one that is no answer is the cause of the exception. */
  <T> T await(KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new AuditFailedException("the brokers answered " + cause, cause);
    } catch (TimeoutException e) {
      throw new AuditFailedException("the brokers have not answered within " + patience, e);
    }
  }

  @Override
  public void close() {
    admin.close(patience);
  }
}
