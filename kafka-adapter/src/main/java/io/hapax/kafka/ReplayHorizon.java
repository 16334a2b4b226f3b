package io.hapax.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Compares how far back topics can be replayed with how long the store keeps DONE marks, before
 * reading starts. A replay of older records would run them again unnoticed.
 */
final class ReplayHorizon {

  private static final String FOREVER = "-1";

  private final Duration remembered;

  ReplayHorizon(Duration remembered) {
    this.remembered = remembered;
  }

  /** Returns a warning for each topic that can be replayed from before the dedup window. */
  List<String> warnings(Admin admin, Collection<String> topics)
      throws ExecutionException, TimeoutException, InterruptedException {
    List<ConfigResource> resources = topics.stream()
        .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
        .toList();
    Map<ConfigResource, Config> configs = admin
        .describeConfigs(resources)
        .all()
        .get(StartChecks.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
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
