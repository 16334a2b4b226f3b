package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * Finds the messages that a concurrent listener of the group has sent back on RocketMQ. A copy with
 * the unique key of the message waits in the broker's schedule, and then in the group's retry
 * topic.
 *
 * <p>The client moves its offset when the broker has stored the copy. The broker counts the copy as
 * delivered when it is in the retry topic. So a message that was sent back is in one of the two,
 * and is found if the schedule is read first.
 */
final class RocketMqRetries {

  private final RocketMqOffsets offsets;
  private final RocketMqReader reader;

  RocketMqRetries(RocketMqOffsets offsets, RocketMqReader reader) {
    this.offsets = offsets;
    this.reader = reader;
  }

  /** Returns the names of the copies that the group has not completed. No member may run. */
  Set<String> waiting() throws BrokerException, InterruptedException {
    List<MessageExt> copies = new ArrayList<>();
    for (Map.Entry<Integer, Long> handedOn : offsets.handedOn().entrySet()) {
      reader.read(RocketMqOffsets.SCHEDULE, handedOn.getKey(), handedOn.getValue()).stream()
          .filter(RocketMqRetries::isOfTheGroup)
          .forEach(copies::add);
    }
    long offset = offsets.offset(RocketMqOffsets.RETRY_TOPIC, 0);
    copies.addAll(reader.read(RocketMqOffsets.RETRY_TOPIC, 0, offset));
    return copies.stream().map(MessageClientIDSetter::getUniqID).collect(Collectors.toSet());
  }

  /** Returns whether the copy belongs to this group. All groups share the schedule. */
  private static boolean isOfTheGroup(MessageExt copy) {
    return RocketMqOffsets.RETRY_TOPIC.equals(copy.getProperty(MessageConst.PROPERTY_REAL_TOPIC));
  }
}
