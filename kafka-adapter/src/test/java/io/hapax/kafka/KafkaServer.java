package io.hapax.kafka;

import io.hapax.servers.KafkaTopics;
import java.util.Map;

/**
 * A real broker for the tests of this module. Each of their brokers is started here, so
 * {@link ServerKind#chosen()} holds for all of them.
 *
 * @param bootstrapServers {@code host:port} of the broker
 * @param end ends the broker and deletes its data
 */
record KafkaServer(String bootstrapServers, Runnable end) implements AutoCloseable {

  /** Starts a broker with these settings, under Kafka's names, beside the usual ones. */
  static KafkaServer start(Map<String, String> settings) {
    return ServerKind.chosen().start(settings);
  }

  /** Creates a topic and returns when each of its partitions has a leader. */
  void createTopic(String name, int partitions) {
    KafkaTopics.create(bootstrapServers, name, partitions);
  }

  @Override
  public void close() {
    end.run();
  }
}
