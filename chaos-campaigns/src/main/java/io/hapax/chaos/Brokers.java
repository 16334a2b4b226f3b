package io.hapax.chaos;

import io.hapax.demo.BrokerKind;
import io.hapax.demo.scene.RocketMqClients;
import java.nio.file.Path;
import java.util.List;

/** Chooses the broker of a run. Only this type distinguishes the kinds of brokers. */
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
