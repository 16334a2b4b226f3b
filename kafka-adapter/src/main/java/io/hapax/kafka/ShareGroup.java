package io.hapax.kafka;

import static io.hapax.kafka.internal.BrokerView.value;

import io.hapax.errors.AuditFailedException;
import io.hapax.kafka.internal.BrokerView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.AppInfoParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares the settings of a share group with those of the receiver. */
record ShareGroup(String name, Map<String, Object> properties) {

  static final int DEFAULT_LIMIT = 5;

  private static final Logger LOG = LoggerFactory.getLogger(ShareGroup.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String NEEDED = "org.apache.kafka.clients.consumer.AcknowledgeType";
  private static final int MOST_RECORDS = 100;

  private static final String LOCK = "share.record.lock.duration.ms";
  private static final String LIMIT = "share.delivery.count.limit";
  private static final String RENEWALS = "share.renew.acknowledge.enable";
  private static final String RESET = "share.auto.offset.reset";
  private static final String ISOLATION = "share.isolation.level";

  ShareGroup {
    properties = Map.copyOf(properties);
  }

  static ShareGroup of(Map<?, ?> given) {
    Map<String, Object> properties = ConsumerSettings.named(given);
    ConsumerSettings.requireGroup(properties);
    require(properties, ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
    require(properties, ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
    properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_RECORDS);
    properties.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    return new ShareGroup(
        String.valueOf(properties.get(ConsumerConfig.GROUP_ID_CONFIG)), properties);
  }

  private static void require(Map<String, Object> properties, String name, String value) {
    Object given = properties.getOrDefault(name, value);
    if (!String.valueOf(given).trim().equalsIgnoreCase(value)) {
      throw new IllegalArgumentException(name + " is " + given + " but must be " + value
          + ": otherwise records are acknowledged before they are done, or lose their locks");
    }
    properties.put(name, value);
  }

  /** Refuses a client that cannot renew the lock of a record: one before 4.2. */
  static void requireClient(ClassLoader loader) {
    try {
      for (Object type : Class.forName(NEEDED, true, loader).getEnumConstants()) {
        if (((Enum<?>) type).name().equals("RENEW")) {
          return;
        }
      }
    } catch (ClassNotFoundException e) {
      LOG.debug("This client has no share consumer", e);
    }
    throw new IllegalStateException("KafkaShareReceiver needs kafka-clients 4.2 or newer, but "
        + AppInfoParser.getVersion() + " is on the class path");
  }

  /**
   * Asks the brokers, for a few seconds at most, after how many deliveries they drop a record.
   * Warns of settings that may lose messages, and refuses those that break a rule. Brokers that do
   * not answer this user do not prevent the start.
   */
  int deliveryLimit(Duration lease, OptionalInt assumed) {
    Optional<Config> config = config();
    config.ifPresent(it -> requireLocks(it, lease));
    Optional<Integer> limit = config.flatMap(it -> value(it, LIMIT)).map(Integer::parseInt);
    if (limit.isPresent() && assumed.isPresent() && assumed.getAsInt() != limit.get()) {
      throw new IllegalArgumentException("deliveryLimit is " + assumed.getAsInt() + " but must be "
          + limit.get() + ", the " + LIMIT + " of group " + name);
    }
    return limit.orElse(assumed.orElse(DEFAULT_LIMIT));
  }

  private Optional<Config> config() {
    try (BrokerView brokers = BrokerView.open(properties, TIMEOUT)) {
      return Optional.of(brokers.settings(ConfigResource.Type.GROUP, name));
    } catch (AuditFailedException | KafkaException e) {
      LOG.info("Could not read the settings of share group {}: {}", name, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private void requireLocks(Config config, Duration lease) {
    if (value(config, RENEWALS).filter("false"::equals).isPresent()) {
      throw new IllegalArgumentException(RENEWALS + " of group " + name
          + " is false but must be true: a record that waits keeps its lock by renewals");
    }
    value(config, LOCK).map(Long::parseLong).map(Duration::ofMillis).ifPresent(lock -> {
      if (lock.compareTo(lease) > 0) {
        throw new IllegalArgumentException(LOCK + " of group " + name + " is " + lock
            + " but must not exceed the lease, which is " + lease
            + ": the records of a member that hangs stay with it until their locks expire");
      }
    });
    if (value(config, RESET).filter("latest"::equals).isPresent()) {
      LOG.warn(
          "{} of group {} is latest: it skips records that were sent before its first start",
          RESET,
          name);
    }
    if (value(config, ISOLATION).filter("read_uncommitted"::equals).isPresent()) {
      LOG.warn("{} of group {} is read_uncommitted: aborted records run, too", ISOLATION, name);
    }
  }
}
