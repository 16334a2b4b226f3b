package io.hapax.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The broker that carries the orders. Only this type distinguishes brokers. */
enum BrokerKind {
  /** Apache Kafka. */
  KAFKA,
  /** Apache RocketMQ. */
  ROCKETMQ;

  /**
   * Starts a broker with an empty topic.
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
   * Returns the source of orders for a consumer process.
   *
   * @param orderly whether RocketMQ keeps the order of a queue; Kafka always does
   */
  OrderSource<?> source(String address, boolean orderly, Reports reports) {
    return switch (this) {
      case KAFKA -> new KafkaSource(address, reports);
      case ROCKETMQ -> new RocketMqSource(address, orderly, reports);
    };
  }

  /**
   * Returns the options of the consumer's JVM.
   *
   * @param folder of the run
   */
  List<String> jvmOptions(Path folder) {
    return switch (this) {
      case KAFKA -> List.of();
      case ROCKETMQ -> RocketMqClients.jvmOptions(folder);
    };
  }

  /** Returns whether the broker always delivers a partition in order. */
  boolean alwaysInOrder() {
    return this == KAFKA;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
