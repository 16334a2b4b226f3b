package io.hapax.kafka;

import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalServer;
import java.util.Map;

/**
 * Where the brokers of these tests run. The system property {@code servers} chooses it, and the
 * tests are the same. A kind that cannot start fails the tests: none is skipped, and the other kind
 * does not replace it.
 */
enum ServerKind {

  /** Child processes from Maven artifacts. The default. */
  LOCAL {
    @Override
    KafkaServer start(Map<String, String> settings) {
      LocalServer.Builder<LocalKafka> builder = LocalKafka.builder();
      settings.forEach(builder::setting);
      LocalKafka kafka = builder.start();
      return new KafkaServer(kafka.bootstrapServers(), kafka::close);
    }
  },

  /** Containers of Kafka's official image. */
  CONTAINERS {
    @Override
    KafkaServer start(Map<String, String> settings) {
      return KafkaImage.start(settings);
    }
  };

  static final String PROPERTY = "servers";

  abstract KafkaServer start(Map<String, String> settings);

  static ServerKind chosen() {
    return of(System.getProperty(PROPERTY, "local"));
  }

  static ServerKind of(String value) {
    return switch (value) {
      case "local" -> LOCAL;
      case "containers" -> CONTAINERS;
      default ->
        throw new IllegalArgumentException(
            PROPERTY + " is '" + value + "': it must be 'local' or 'containers'");
    };
  }
}
