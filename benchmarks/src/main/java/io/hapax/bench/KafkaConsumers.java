package io.hapax.bench;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Makes the properties of the measured consumers. They are the same for all subjects. */
final class KafkaConsumers {

  private final String bootstrapServers;
  private final int poll;
  private int groups;

  KafkaConsumers(String bootstrapServers, int poll) {
    this.bootstrapServers = bootstrapServers;
    this.poll = poll;
  }

  /** Returns the properties of a consumer in a new group, whose commits the meter counts. */
  Map<String, Object> properties(CommitMeter meter) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("group.id", "bench-" + ++groups);
    properties.put("enable.auto.commit", "false");
    properties.put("auto.offset.reset", "earliest");
    properties.put("isolation.level", "read_committed");
    properties.put("max.poll.records", poll);
    properties.put("key.deserializer", ByteArrayDeserializer.class);
    properties.put("value.deserializer", ByteArrayDeserializer.class);
    properties.put("interceptor.classes", CommitInterceptor.class.getName());
    properties.put(CommitInterceptor.METER, meter);
    return properties;
  }
}
