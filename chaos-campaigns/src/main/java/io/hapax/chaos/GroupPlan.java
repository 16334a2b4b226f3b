package io.hapax.chaos;

import io.hapax.demo.OrderChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** The group of consumers on Kafka, with the settings of a run that kills its processes. */
record GroupPlan(int members, int partitions, Protocol protocol) {

  /** One process at a time, on a topic of the default size. */
  static final GroupPlan ALONE = new GroupPlan(1, OrderChannel.PARTITIONS, Protocol.CLASSIC);

  /** Short, so that the partitions of a killed member do not wait long. */
  static final Duration SESSION = Duration.ofSeconds(3);

  static final int MAX_POLL_RECORDS = 200;

  private static final int HEARTBEAT_MILLIS = 500;
  private static final int MOST_MEMBERS = 10;
  private static final int MOST_PARTITIONS = 100;

  GroupPlan {
    ChaosSettings.inRange("--members", members, 1, MOST_MEMBERS);
    ChaosSettings.inRange("--partitions", partitions, 1, MOST_PARTITIONS);
  }

  boolean alone() {
    return members == 1;
  }

  enum Protocol {
    /** A member assigns the partitions, and each member sets its timeouts. */
    CLASSIC,
    /** The broker assigns the partitions and sets the timeouts. */
    CONSUMER;

    Map<String, Object> properties() {
      Map<String, Object> properties = new HashMap<>();
      if (this == CLASSIC) {
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) SESSION.toMillis());
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
      } else {
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, toString());
      }
      properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
      properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
      properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
      return properties;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
