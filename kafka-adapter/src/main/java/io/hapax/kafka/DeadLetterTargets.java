package io.hapax.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Finds the topic and partition of a dead letter. A missing topic is an error: a producer could
 * make the brokers create it, with any number of partitions. Thread-safe.
 */
final class DeadLetterTargets<K, V> {

  /**
   * Where a dead letter goes.
   *
   * @param topic its topic
   * @param partition its partition; null if its key decides
   */
  record Target(String topic, @Nullable Integer partition) {}

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Function<? super ConsumerRecord<K, V>, String> topics;
  private final boolean keepsPartition;
  private final Map<String, Object> properties;
  private final Map<String, List<Integer>> known = new ConcurrentHashMap<>();

  /**
   * Creates the targets of a publisher.
   *
   * @param topics names the dead-letter topic of a record
   * @param keepsPartition whether a dead letter keeps the number of its partition
   * @param properties properties of a connection to the brokers
   */
  DeadLetterTargets(
      Function<? super ConsumerRecord<K, V>, String> topics,
      boolean keepsPartition,
      Map<String, Object> properties) {
    this.topics = topics;
    this.keepsPartition = keepsPartition;
    this.properties = Map.copyOf(properties);
  }

  /**
   * Finds the target of a record. If its key decides about the partition of every record, the
   * brokers are not asked.
   *
   * @throws IllegalStateException if the topic is that of the record itself, does not exist, or the
   *     brokers did not answer
   */
  Target of(ConsumerRecord<K, V> record) throws InterruptedException {
    String topic = topics.apply(record);
    if (!keepsPartition) {
      return new Target(topic, null);
    }
    if (topic == null || topic.equals(record.topic())) {
      throw new IllegalStateException("the dead-letter topic of a record of " + record.topic()
          + " is " + topic + " but must be another topic");
    }
    boolean exists = partitions(topic).contains(record.partition());
    return new Target(topic, exists ? record.partition() : null);
  }

  private List<Integer> partitions(String topic) throws InterruptedException {
    List<Integer> partitions = known.get(topic);
    if (partitions == null) {
      partitions = ask(topic);
      known.put(topic, partitions);
    }
    return partitions;
  }

  private List<Integer> ask(String topic) throws InterruptedException {
    try (BrokerView brokers = BrokerView.open(properties, TIMEOUT)) {
      List<Integer> partitions = brokers.partitions(topic);
      if (partitions.isEmpty()) {
        throw new IllegalStateException(
            "dead-letter topic '" + topic + "' does not exist: create it first");
      }
      return partitions;
    } catch (AuditFailedException e) {
      throw new IllegalStateException(
          "the brokers did not answer whether dead-letter topic '" + topic + "' exists", e);
    }
  }

  /** Forgets a topic, which may have been deleted, so that the brokers are asked again. */
  void forget(String topic) {
    known.remove(topic);
  }
}
