package io.hapax.kafka.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Checks and completes the properties of producers that must not lose a record. */
public final class DurableProducer {

  private DurableProducer() {}

  public static Map<String, Object> forAnySize(Map<?, ?> producerProperties) {
    Map<String, Object> properties = durable(producerProperties);
    properties.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.MAX_VALUE);
    properties.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) Integer.MAX_VALUE);
    properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip");
    return properties;
  }

  public static Map<String, Object> durable(Map<?, ?> producerProperties) {
    Map<String, Object> properties = new HashMap<>();
    producerProperties.forEach((name, value) -> properties.put(String.valueOf(name), value));
    require(properties, ProducerConfig.ACKS_CONFIG, "all", List.of("all", "-1"));
    require(properties, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true", List.of("true"));
    return properties;
  }

  private static void require(
      Map<String, Object> properties, String name, String value, List<String> accepted) {
    Object given = properties.getOrDefault(name, value);
    if (!accepted.contains(String.valueOf(given).trim())) {
      throw new IllegalArgumentException(name + " is " + given + " but must be " + value
          + ": a dead letter that the brokers lose is a lost message");
    }
    properties.put(name, value);
  }
}
