package io.hapax.chaos;

import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;

enum GroupProtocol {
  /** A member assigns the partitions, and each member sets its timeouts. */
  CLASSIC,
  /** The broker assigns the partitions and sets the timeouts. */
  CONSUMER;

  Map<String, Object> properties() {
    return switch (this) {
      case CLASSIC ->
        Map.of(
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            (int) KafkaTuning.SESSION.toMillis(),
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            KafkaTuning.HEARTBEAT_MILLIS);
      case CONSUMER -> Map.of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, toString());
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
