package io.hapax.kafka;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the topic and partition of a dead letter. A missing topic is an error: a producer could
 * make brokers create it, with any number of partitions. Thread-safe.
 */
final class DeadLetterTargets<K, V> {

  /** Where a dead letter goes; if there is no partition, its key decides. */
  record Target(String topic, @Nullable Integer partition) {}

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterTargets.class);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Function<? super ConsumerRecord<K, V>, String> topics;
  private final boolean keepsPartition;
  private final Map<String, Object> properties;
  private final Map<String, List<Integer>> known = new ConcurrentHashMap<>();

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
   * @throws IllegalArgumentException if the topic does not exist, or is compacted
   * @throws IllegalStateException if the topic is that of the record itself, or the brokers did not
   *     answer
   */
  Target of(ConsumerRecord<K, V> record) throws InterruptedException {
    String topic = topics.apply(record);
    if (topic == null || topic.equals(record.topic())) {
      throw new IllegalStateException("the dead-letter topic of a record of " + record.topic()
          + " is " + topic + " but must be another topic");
    }
    if (!keepsPartition) {
      return new Target(topic, null);
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
        throw new IllegalArgumentException(
            "dead-letter topic '" + topic + "' does not exist: create it first");
      }
      refuseCompacted(topic, brokers);
      return partitions;
    } catch (AuditFailedException e) {
      if (e.getCause() instanceof ApiException refusal
          && !(refusal instanceof RetriableException)) {
        throw new IllegalArgumentException("dead-letter topic '" + topic + "' cannot be used", e);
      }
      throw new IllegalStateException(
          "the brokers did not answer questions about dead-letter topic '" + topic + "'", e);
    }
  }

  /**
   * Refuses a topic that keeps one record of each key. Does nothing if the user may not read the
   * settings of the topic, or the brokers have no such question.
   */
  static void refuseCompacted(String topic, BrokerView brokers) throws InterruptedException {
    String policy;
    try {
      Config settings = brokers.settings(ConfigResource.Type.TOPIC, topic);
      policy = BrokerView.value(settings, TopicConfig.CLEANUP_POLICY_CONFIG).orElse("");
    } catch (AuditFailedException e) {
      Throwable cause = e.getCause();
      if (!(cause instanceof AuthorizationException
          || cause instanceof UnsupportedVersionException)) {
        throw e;
      }
      LOG.debug("The settings of dead-letter topic {} cannot be read", topic, e);
      return;
    }
    if (policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
      throw new IllegalArgumentException("dead-letter topic '" + topic + "' has "
          + TopicConfig.CLEANUP_POLICY_CONFIG + " " + policy + " but must have "
          + TopicConfig.CLEANUP_POLICY_DELETE
          + ": the brokers would remove a dead letter once another one has its key");
    }
  }

  /**
   * Checks before the start that a topic exists, and that it is not compacted.
   *
   * @throws IllegalArgumentException if it does not exist, or is compacted
   * @throws IllegalStateException if the brokers did not answer
   */
  void require(String topic) {
    try {
      var unused = partitions(topic);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while looking for topic '" + topic + "'", e);
    }
  }

  /** Forgets a topic, which may have been deleted, so that the brokers are asked again. */
  void forget(String topic) {
    known.remove(topic);
  }
}
