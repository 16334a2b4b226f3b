package io.hapax.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * A consumer's properties, checked and completed: nothing is committed behind the receiver's back,
 * no aborted record is seen, and a group without offsets starts at the beginning.
 *
 * @param properties what to hand to the consumer
 * @param maxPollRecords how many records one poll returns at most
 * @param maxPollInterval how long the group waits for the next poll
 */
record ConsumerSettings(
    Map<String, Object> properties, int maxPollRecords, Duration maxPollInterval) {

  ConsumerSettings {
    properties = Map.copyOf(properties);
  }

  static ConsumerSettings of(Map<?, ?> given) {
    Map<String, Object> properties = new HashMap<>();
    given.forEach((name, value) -> properties.put(String.valueOf(name), value));
    requireGroup(properties);
    refuseAutoCommit(properties);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return new ConsumerSettings(
        properties,
        number(properties, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500),
        Duration.ofMillis(number(properties, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 300_000)));
  }

  /** For a consumer that was made elsewhere: what is not said there cannot be completed here. */
  static ConsumerSettings ofForeignConsumer(Map<?, ?> given) {
    if (!given.containsKey(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)) {
      throw new IllegalArgumentException(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG
          + " is not set, which means true, but must be false");
    }
    return of(given);
  }

  private static void requireGroup(Map<String, Object> properties) {
    Object group = properties.getOrDefault(ConsumerConfig.GROUP_ID_CONFIG, "");
    if (String.valueOf(group).isBlank()) {
      throw new IllegalArgumentException(
          ConsumerConfig.GROUP_ID_CONFIG + " is not set but a consumer group is required");
    }
  }

  private static void refuseAutoCommit(Map<String, Object> properties) {
    Object given = properties.getOrDefault(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    if (!String.valueOf(given).trim().equalsIgnoreCase("false")) {
      throw new IllegalArgumentException(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG + " is " + given
          + " but must be false: the consumer would commit records that are not done");
    }
  }

  private static int number(Map<String, Object> properties, String name, int otherwise) {
    Object given = properties.getOrDefault(name, otherwise);
    int value = (int) ConfigDef.parseType(name, given, ConfigDef.Type.INT);
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + " but must be at least 1");
    }
    return value;
  }
}
