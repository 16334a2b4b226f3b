package io.hapax.kafka.internal;

import io.hapax.errors.AuditFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares how far back topics can be replayed with how long the store keeps DONE marks: a replay
 * of older records would run them again unnoticed.
 */
public record ReplayHorizon(Duration remembered) {

  private static final Logger LOG = LoggerFactory.getLogger(ReplayHorizon.class);
  private static final String FOREVER = "-1";
  private static final String MINUTES = "offsets.retention.minutes";

  public List<String> warnings(BrokerView brokers, Collection<String> topics)
      throws InterruptedException {
    List<ConfigResource> resources = topics.stream()
        .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
        .toList();
    List<String> warnings = new ArrayList<>();
    brokers
        .await(brokers.admin().describeConfigs(resources).all())
        .forEach((topic, config) -> warning(topic.name(), config).ifPresent(warnings::add));
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
    return BrokerView.value(config, name).orElse("");
  }

  /**
   * Warns if expired offsets make a consumer skip messages, or replay beyond the dedup window. If
   * it does not join, its offsets count from the last commit.
   */
  public static Optional<String> offsetWarning(
      BrokerView brokers, Map<String, Object> properties, boolean joins, boolean tooLong)
      throws InterruptedException {
    Object given = properties.getOrDefault(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    String reset = String.valueOf(given).trim().toLowerCase(Locale.ROOT);
    if (reset.equals("none") || (reset.equals("earliest") && !tooLong)) {
      return Optional.empty();
    }
    String after = joins ? "of a group without members after " : "of this group after ";
    String forget = "The brokers forget the offsets " + after + offsetRetention(brokers) + " ("
        + MINUTES + ")" + (joins ? "" : " without a commit") + ". With "
        + ConsumerConfig.AUTO_OFFSET_RESET_CONFIG + " " + reset + " the consumer then ";
    return Optional.of(
        reset.equals("earliest")
            ? forget + "starts such a replay by itself"
            : forget + "skips messages that were never processed");
  }

  /** Returns the time for people; brokers that do not give it are no reason to say nothing. */
  private static String offsetRetention(BrokerView brokers) throws InterruptedException {
    try {
      Node node =
          brokers.await(brokers.admin().describeCluster().nodes()).iterator().next();
      Config settings = brokers.settings(ConfigResource.Type.BROKER, node.idString());
      return BrokerView.value(settings, MINUTES)
          .map(minutes -> Duration.ofMinutes(Long.parseLong(minutes)).toString())
          .orElse("some time");
    } catch (AuditFailedException e) {
      LOG.info("The brokers did not return {}: {}", MINUTES, e.toString());
      return "some time";
    }
  }
}
