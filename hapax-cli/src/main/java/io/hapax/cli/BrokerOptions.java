package io.hapax.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which broker. */
final class BrokerOptions {

  @Option(
      names = "--broker",
      paramLabel = "BROKER",
      defaultValue = "kafka",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private BrokerKind broker;

  @Option(
      names = "--bootstrap",
      required = true,
      paramLabel = "HOST:PORT,...",
      description = "Where the broker answers: Kafka's brokers, or RocketMQ's name servers with ;"
          + " between them.")
  private String bootstrap;

  @Option(
      names = "--broker-config",
      paramLabel = "FILE",
      description =
          "More properties of the client, for example those of TLS and SASL; with RocketMQ"
              + " accessKey, secretKey, useTLS and namespace.")
  private @Nullable Path config;

  /** The broker, as somebody who reads for a consumer sees it. */
  Broker connect(Reading reading, Duration patience) {
    return switch (broker) {
      case KAFKA -> new KafkaBroker(bootstrap, properties(), reading, patience);
      case ROCKETMQ -> new RocketMqBroker(bootstrap, properties(), reading, patience);
    };
  }

  /** The properties of the file; none if there is no file. */
  private Properties properties() {
    Properties properties = new Properties();
    if (config != null) {
      try (Reader reader = Files.newBufferedReader(config)) {
        properties.load(reader);
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "--broker-config is " + config + " but cannot be read", e);
      }
    }
    return properties;
  }
}
