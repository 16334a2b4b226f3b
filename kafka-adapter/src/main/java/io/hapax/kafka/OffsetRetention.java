package io.hapax.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what happens when the brokers forget the offsets of a group: a replay of everything, or a
 * jump over messages that were never processed.
 */
final class OffsetRetention {

  private static final Logger LOG = LoggerFactory.getLogger(OffsetRetention.class);
  private static final String MINUTES = "offsets.retention.minutes";

  private final String reset;
  private final boolean joins;
  private final Duration timeout;

  /**
   * Creates the check of one consumer.
   *
   * @param properties the properties of the consumer; that of a share group has no
   *     {@code auto.offset.reset}
   * @param joins whether the consumer joins its group; otherwise its offsets count from the last
   *     commit, also while it runs
   * @param timeout how long the brokers may take to answer
   */
  OffsetRetention(Map<String, Object> properties, boolean joins, Duration timeout) {
    Object given = properties.getOrDefault(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    this.reset = String.valueOf(given).trim().toLowerCase(Locale.ROOT);
    this.joins = joins;
    this.timeout = timeout;
  }

  /**
   * Returns a warning if expired offsets make the consumer skip messages, or make it replay topics
   * beyond the dedup window.
   *
   * @param tooLong whether a topic keeps records for longer than the store keeps marks
   */
  Optional<String> warning(Admin admin, boolean tooLong)
      throws TimeoutException, InterruptedException {
    if (reset.equals("none") || (reset.equals("earliest") && !tooLong)) {
      return Optional.empty();
    }
    String after = joins ? "of a group without members after " : "of this group after ";
    String forget = "The brokers forget the offsets " + after + retention(admin) + " (" + MINUTES
        + ")" + (joins ? "" : " without a commit") + ". With "
        + ConsumerConfig.AUTO_OFFSET_RESET_CONFIG + " " + reset + " the consumer then ";
    return Optional.of(
        reset.equals("earliest")
            ? forget + "starts such a replay by itself"
            : forget + "skips messages that were never processed");
  }

  /** Returns the time for people; brokers that do not give it are no reason to say nothing. */
  private String retention(Admin admin) throws TimeoutException, InterruptedException {
    try {
      Node node = get(admin.describeCluster().nodes()).iterator().next();
      ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, node.idString());
      Config config =
          get(admin.describeConfigs(List.of(broker)).all()).values().iterator().next();
      ConfigEntry minutes = config.get(MINUTES);
      return minutes == null
          ? "some time"
          : Duration.ofMinutes(Long.parseLong(minutes.value())).toString();
    } catch (ExecutionException e) {
      LOG.info("The brokers did not return {}: {}", MINUTES, String.valueOf(e.getCause()));
      return "some time";
    }
  }

  private <T> T get(KafkaFuture<T> answer)
      throws ExecutionException, TimeoutException, InterruptedException {
    return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }
}
