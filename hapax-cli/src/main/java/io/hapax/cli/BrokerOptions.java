package io.hapax.cli;

import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which broker, and which part of it. */
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

  @Option(names = "--topic", required = true, paramLabel = "TOPIC", description = "The topic.")
  private String topic;

  @Option(
      names = "--partition",
      paramLabel = "N",
      split = ",",
      description = "Only these partitions, or queues, of it.")
  private Set<Integer> partitions = Set.of();

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      defaultValue = "beginning",
      description = "Where to begin: beginning, a time as 2026-11-21T10:00:00Z, or offset:N"
          + " (${DEFAULT-VALUE}).")
  private String from;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** The broker, as somebody who reads for a consumer sees it. */
  Broker connect(ConsumerOptions consumer, Duration patience) {
    return switch (broker) {
      case KAFKA -> new KafkaBroker(bootstrap, properties(), consumer, patience);
      case ROCKETMQ -> rocketMq(consumer, patience);
    };
  }

  /** Its client is not part of the jar. */
  private Broker rocketMq(ConsumerOptions consumer, Duration patience) {
    try {
      return new RocketMqBroker(bootstrap, properties(), consumer, patience);
    } catch (NoClassDefFoundError e) {
      throw new ParameterException(
          spec.commandLine(),
          "--broker is rocketmq, but rocketmq-client and what it needs are not on the class path",
          e);
    }
  }

  TopicPart part() {
    return new TopicPart(topic, partitions);
  }

  StartingPoint from() {
    try {
      if (from.equals("beginning")) {
        return StartingPoint.beginning();
      }
      if (from.startsWith("offset:")) {
        return StartingPoint.offset(Long.parseLong(from.substring("offset:".length())));
      }
      return StartingPoint.at(Instant.ofEpochMilli(Instant.parse(from).toEpochMilli()));
    } catch (DateTimeParseException | ArithmeticException | IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--from is " + from
              + " but must be beginning, a time as 2026-11-21T10:00:00Z, or offset:N",
          e);
    }
  }

  /** The properties of the file; none if there is no file. */
  private Properties properties() {
    Properties properties = new Properties();
    if (config != null) {
      try (Reader reader = Files.newBufferedReader(config)) {
        properties.load(reader);
      } catch (IOException e) {
        throw new ParameterException(
            spec.commandLine(), "--broker-config is " + config + " but cannot be read: " + e, e);
      }
    }
    return properties;
  }
}
