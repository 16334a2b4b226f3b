package io.hapax.demo;

import io.hapax.demo.scene.RocketMqClients;
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
    return start(folder, GroupPlan.ALONE);
  }

  /** Starts a broker with an empty topic for this group. */
  OrderBroker start(Path folder, GroupPlan group) {
    return switch (this) {
      case KAFKA -> KafkaBroker.start(group);
      case ROCKETMQ -> RocketMqBroker.start(folder);
    };
  }

  /**
   * Returns the source of orders for a consumer process.
   *
   * @param group the group of Kafka; that of RocketMQ is always {@link OrderBroker#GROUP}
   * @param orderly whether RocketMQ keeps the order of a queue; Kafka always does
   * @param protocol the group protocol of Kafka
   */
  OrderSource<?> source(
      String address, String group, boolean orderly, GroupProtocol protocol, Reports reports) {
    return switch (this) {
      case KAFKA -> new KafkaSource(address, group, protocol, reports);
      case ROCKETMQ -> new RocketMqSource(address, orderly, reports);
    };
  }

  /** Returns the same for an application of Spring. */
  SpringSource springSource(String address, boolean orderly) {
    return switch (this) {
      case KAFKA -> SpringKafkaListener.source(address);
      case ROCKETMQ -> SpringRocketMqListener.source(address, orderly);
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
