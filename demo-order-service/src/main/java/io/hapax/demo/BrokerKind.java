package io.hapax.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The broker that carries the orders; the one place where the demo asks which it is. */
enum BrokerKind {
  /** Apache Kafka. */
  KAFKA,
  /** Apache RocketMQ. */
  ROCKETMQ;

  /**
   * Starts one, with an empty topic.
   *
   * @param folder of the run
   */
  OrderBroker start(Path folder) {
    return switch (this) {
      case KAFKA -> KafkaBroker.start();
      case ROCKETMQ -> RocketMqBroker.start(folder);
    };
  }

  /**
   * The way to one that runs, for a consumer process.
   *
   * @param orderly whether the order of a queue is kept; that of a partition always is
   */
  OrderSource<?> source(String address, boolean orderly, Reports reports) {
    return switch (this) {
      case KAFKA -> new KafkaSource(address, reports);
      case ROCKETMQ -> new RocketMqSource(address, orderly, reports);
    };
  }

  /**
   * What the JVM of a consumer has to be told when it starts.
   *
   * @param folder of the run
   */
  List<String> jvmOptions(Path folder) {
    return switch (this) {
      case KAFKA -> List.of();
      case ROCKETMQ -> RocketMqClients.jvmOptions(folder);
    };
  }

  /** Whether it has no other way to read than in order. */
  boolean alwaysInOrder() {
    return this == KAFKA;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
