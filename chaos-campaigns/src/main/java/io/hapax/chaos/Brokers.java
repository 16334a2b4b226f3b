package io.hapax.chaos;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.OrderChannel;
import io.hapax.demo.scene.RocketMqClients;
import java.nio.file.Path;
import java.util.List;

/** What a run needs of each kind of broker. Only this type distinguishes brokers. */
final class Brokers {

  private Brokers() {}

  /**
   * Starts a broker with an empty topic for this group.
   *
   * @param folder of the run
   */
  static OrderBroker start(BrokerKind kind, Path folder, GroupPlan group) {
    return switch (kind) {
      case KAFKA -> KafkaBroker.start(group);
      case ROCKETMQ -> RocketMqBroker.start(folder);
    };
  }

  /**
   * Returns the source of orders for a consumer process.
   *
   * @param group the group of Kafka; that of RocketMQ is always {@link OrderChannel#GROUP}
   * @param orderly whether RocketMQ keeps the order of a queue; Kafka always does
   * @param protocol the group protocol of Kafka
   */
  static OrderSource<?> source(
      BrokerKind kind,
      String address,
      String group,
      boolean orderly,
      GroupProtocol protocol,
      Reports reports) {
    return switch (kind) {
      case KAFKA -> new KafkaSource(address, group, protocol, reports);
      case ROCKETMQ -> new RocketMqSource(address, orderly, reports);
    };
  }

  /** Returns the same for an application of Spring. */
  static SpringSource springSource(BrokerKind kind, String address, boolean orderly) {
    return switch (kind) {
      case KAFKA -> SpringKafkaListener.source(address);
      case ROCKETMQ -> SpringRocketMqListener.source(address, orderly);
    };
  }

  /**
   * Returns the options of the consumer's JVM.
   *
   * @param folder of the run
   */
  static List<String> jvmOptions(BrokerKind kind, Path folder) {
    return switch (kind) {
      case KAFKA -> List.of();
      case ROCKETMQ -> RocketMqClients.jvmOptions(folder);
    };
  }
}
