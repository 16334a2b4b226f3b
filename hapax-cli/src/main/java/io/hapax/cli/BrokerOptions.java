package io.hapax.cli;

import io.hapax.operations.Broker;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose the broker. */
final class BrokerOptions {

  /** The brokers. */
  enum Kind {
    /** Apache Kafka. */
    KAFKA,
    /** Apache RocketMQ. */
    ROCKETMQ
  }

  @Option(
      names = "--broker",
      paramLabel = "BROKER",
      defaultValue = "kafka",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Kind broker;

  @Option(
      names = "--bootstrap",
      required = true,
      paramLabel = "HOST:PORT,...",
      description =
          "The addresses of Kafka's brokers, or of RocketMQ's name servers separated" + " by ;.")
  private String bootstrap;

  @Option(
      names = "--broker-config",
      paramLabel = "FILE",
      description = "A file with more properties of the client, for example for TLS and SASL. With"
          + " RocketMQ: accessKey, secretKey, useTLS and namespace.")
  private @Nullable Path config;

  /** Returns the kind and the address of the broker. */
  String description() {
    return broker.name().toLowerCase(Locale.ROOT) + " at " + bootstrap;
  }

  /** Connects to the broker with the settings of a consumer. */
  Broker connect(ReadingSettings settings, Duration patience) {
    return switch (broker) {
      case KAFKA -> KafkaOptions.of(bootstrap, properties(), settings, patience);
      case ROCKETMQ -> RocketMqOptions.of(bootstrap, properties(), settings, patience);
    };
  }

  /** Returns the properties of the file; none without a file. */
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
