package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import io.hapax.demo.OrderChannel;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.common.message.MessageExt;

/** Reads the dead-letter topic of the group on RocketMQ. It has one queue. */
final class RocketMqDeadTopic {

  private static final String NAME = "%DLQ%" + OrderChannel.GROUP;

  private RocketMqDeadTopic() {}

  /** Reads it from its beginning to its present end. */
  static List<DeadOrder> read(RocketMqReader reader) throws BrokerException, InterruptedException {
    return reader.read(NAME, 0, 0).stream().map(RocketMqDeadTopic::dead).toList();
  }

  private static DeadOrder dead(MessageExt message) {
    return DeadOrder.of(
        message.getBody(), name -> Optional.ofNullable(message.getUserProperty(name)));
  }
}
