package io.hapax.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.GroupProtocol;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Completes and checks the properties of a consumer. It commits nothing by itself, and has
 * {@code read_committed} unless the user has set another isolation level.
 */
record ConsumerSettings(
    Map<String, Object> properties, int maxPollRecords, Duration maxPollInterval) {

  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(10);
  private static final int WINDOWS_KEPT = 10;

  ConsumerSettings {
    properties = Map.copyOf(properties);
  }

  static Map<String, Object> named(Map<?, ?> given) {
    Map<String, Object> properties = new HashMap<>();
    given.forEach((name, value) -> properties.put(String.valueOf(name), value));
    return properties;
  }

  static ConsumerSettings of(Map<?, ?> given) {
    Map<String, Object> properties = named(given);
    requireGroup(properties);
    refuseAutoCommit(properties);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    return new ConsumerSettings(
        properties,
        number(properties, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500),
        Duration.ofMillis(number(properties, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 300_000)));
  }

  /** Checks the properties of a consumer that cannot be completed here. */
  static ConsumerSettings ofForeignConsumer(Map<?, ?> given) {
    if (!given.containsKey(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)) {
      throw new IllegalArgumentException(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG
          + " is not set, which means true, but must be false");
    }
    return of(given);
  }

  /** The thread does not poll during a drain: a longer one would risk the membership. */
  private Duration longestDrain() {
    return maxPollInterval.dividedBy(2);
  }

  void requireDrain(Duration timeout) {
    if (timeout.isNegative() || timeout.compareTo(longestDrain()) > 0) {
      throw new IllegalArgumentException("drainTimeout is " + timeout
          + " but must not be negative and must be at most half of "
          + ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG + ", which is " + maxPollInterval);
    }
  }

  /**
   * The partitions of a static member that vanished wait until its session ends, its claims for
   * their lease. Hapax promises that messages move again after the lease.
   */
  void requireSessionWithin(Duration lease) {
    boolean isStatic = properties.containsKey(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    boolean newProtocol = String.valueOf(properties.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG))
        .equalsIgnoreCase(GroupProtocol.CONSUMER.name());
    Duration session =
        Duration.ofMillis(number(properties, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 45_000));
    if (isStatic && !newProtocol && session.compareTo(lease) > 0) {
      throw new IllegalArgumentException(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG + " is " + session
          + " but with " + ConsumerConfig.GROUP_INSTANCE_ID_CONFIG
          + " it must not exceed the lease, which is " + lease
          + ": the partitions of a static member stay with it until its session ends");
    }
  }

  /** A slow record holds {@link #WINDOWS_KEPT} windows, unless its partition keeps its order. */
  PollLoop.Bounds bounds(
      Optional<Duration> drainTimeout, boolean transactional, ProcessingOrder order) {
    Duration drain = drainTimeout.orElse(shorter(DRAIN_TIMEOUT, longestDrain()));
    boolean inOrder = order == ProcessingOrder.PARTITION;
    int most = Math.multiplyExact(maxPollRecords, WINDOWS_KEPT);
    int ahead = inOrder ? maxPollRecords : most;
    return new PollLoop.Bounds(
        order,
        maxPollRecords,
        transactional ? 0 : ahead,
        most,
        drain,
        shorter(BROKER_TIMEOUT, maxPollInterval.dividedBy(4)),
        maxPollInterval);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  static void requireGroup(Map<String, Object> properties) {
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

  static int number(Map<String, Object> properties, String name, int otherwise) {
    Object given = properties.getOrDefault(name, otherwise);
    return atLeastOne(name, (int) ConfigDef.parseType(name, given, ConfigDef.Type.INT));
  }

  static int atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + " but must be at least 1");
    }
    return value;
  }
}
