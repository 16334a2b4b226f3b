package io.hapax.demo.scene;

import io.hapax.servers.KafkaTopics;

/**
 * Events on Kafka.
 *
 * @param bootstrapServers the address of the brokers
 */
public record KafkaEvents(String bootstrapServers) implements EventBroker {

  @Override
  public EventTopic<?> create(String name, int partitions) {
    KafkaTopics.create(bootstrapServers, name, partitions);
    return new KafkaTopic(bootstrapServers, name);
  }
}
