package io.hapax.chaos;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The settings of Kafka's consumer in a run that kills its processes. */
final class KafkaTuning {

  /** Short, so that the partitions of a killed member do not wait long. */
  static final Duration SESSION = Duration.ofSeconds(3);

  static final int HEARTBEAT_MILLIS = 500;

  private KafkaTuning() {}

  static Map<String, Object> properties(GroupProtocol protocol) {
    Map<String, Object> properties = new HashMap<>(protocol.properties());
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 200);
    return properties;
  }

  static Map<String, Object> properties(String address, GroupProtocol protocol) {
    Map<String, Object> properties = properties(protocol);
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return properties;
  }
}
