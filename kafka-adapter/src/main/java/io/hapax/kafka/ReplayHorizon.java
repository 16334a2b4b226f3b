package io.hapax.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares how far back topics can be replayed with how long the store keeps DONE marks, before
 * reading starts. A replay of older records would run them again unnoticed.
 */
final class ReplayHorizon {

  private static final Logger LOG = LoggerFactory.getLogger(ReplayHorizon.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String FOREVER = "-1";

  private final Duration remembered;

  ReplayHorizon(Duration remembered) {
    this.remembered = remembered;
  }

  /**
   * Asks the brokers, and logs a warning for each topic that can be replayed from before the dedup
   * window. Takes a few seconds at most. A failed request is logged and does not prevent the start.
   *
   * @param consumerProperties properties of the connection to the brokers
   * @param topics the topics
   * @throws IllegalArgumentException if the brokers answer that a topic does not exist
   */
  void check(Map<String, Object> consumerProperties, List<String> topics) {
    try (Admin admin = Admin.create(forAdmin(consumerProperties))) {
      requireTopics(admin, topics);
      warnings(admin, topics).forEach(LOG::warn);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      LOG.info(
          "Could not check that marks, kept for {}, outlive what can be replayed of {}: {}",
          remembered,
          topics,
          e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.info("Interrupted; did not check how far back {} can be replayed", topics);
    }
  }

  private static Map<String, Object> forAdmin(Map<String, Object> consumerProperties) {
    Map<String, Object> properties = new HashMap<>(consumerProperties);
    properties.keySet().retainAll(AdminClientConfig.configNames());
    int millis = (int) TIMEOUT.toMillis();
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    return properties;
  }

  private static void requireTopics(Admin admin, List<String> topics)
      throws ExecutionException, TimeoutException, InterruptedException {
    for (String topic : topics) {
      try {
        admin
            .describeTopics(List.of(topic))
            .allTopicNames()
            .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException
            || e.getCause() instanceof InvalidTopicException) {
          throw new IllegalArgumentException(
              "topics holds '" + topic
                  + "' but a topic must exist before it is read: create it first",
              e.getCause());
        }
        throw e;
      }
    }
  }

  /** Returns a warning for each topic that can be replayed from before the dedup window. */
  List<String> warnings(Admin admin, List<String> topics)
      throws ExecutionException, TimeoutException, InterruptedException {
    List<ConfigResource> resources = topics.stream()
        .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
        .toList();
    Map<ConfigResource, Config> configs =
        admin.describeConfigs(resources).all().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    List<String> warnings = new ArrayList<>();
    configs.forEach((topic, config) -> warning(topic.name(), config).ifPresent(warnings::add));
    return warnings;
  }

  private Optional<String> warning(String topic, Config config) {
    String millis = value(config, TopicConfig.RETENTION_MS_CONFIG);
    String policy = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
    if (policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
      return Optional.of(sentence(
          topic,
          TopicConfig.CLEANUP_POLICY_CONFIG + " " + policy
              + ", so the last record of each key for ever"));
    }
    if (millis.equals(FOREVER)) {
      String bytes = value(config, TopicConfig.RETENTION_BYTES_CONFIG);
      return Optional.of(sentence(
          topic,
          TopicConfig.RETENTION_MS_CONFIG + " -1, so for ever"
              + (bytes.equals(FOREVER) ? "" : " up to " + bytes + " bytes a partition")));
    }
    Duration kept = Duration.ofMillis(Long.parseLong(millis));
    return kept.compareTo(remembered) <= 0
        ? Optional.empty()
        : Optional.of(sentence(topic, TopicConfig.RETENTION_MS_CONFIG + " " + kept));
  }

  private String sentence(String topic, String kept) {
    return "Topic " + topic + " keeps records for " + kept + ", but the store keeps marks for "
        + remembered + ": older records run again in a replay";
  }

  private static String value(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "" : entry.value();
  }
}
