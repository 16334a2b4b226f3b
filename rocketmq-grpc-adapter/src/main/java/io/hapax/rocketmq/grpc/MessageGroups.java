package io.hapax.rocketmq.grpc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.rocketmq.client.apis.message.MessageView;

/**
 * Keeps the order of message groups. Of one group, the receiver holds only messages that were
 * received together, in one lane, and handles them in their order. Messages without a group do not
 * wait for other messages. Thread-safe.
 */
final class MessageGroups {

  private static final AtomicLong LANES = new AtomicLong();

  /** Counts the messages of each group that the receiver holds, by lane; contains no zero. */
  private final Map<String, Integer> underWay = new HashMap<>();

  /** Returns the lane of a message: that of its group within its topic, or one of its own. */
  static String lane(MessageView message) {
    return message
        .getMessageGroup()
        .map(group -> message.getTopic() + '/' + group)
        .orElseGet(() -> "#" + LANES.incrementAndGet());
  }

  /**
   * Admits messages that were received together, except those of groups that have messages in
   * flight. The proxy delivers messages of a FIFO group only after the earlier ones are
   * acknowledged, unless these could not be renewed in time. Then it redelivers all of them, and
   * they must wait until the first delivery has ended.
   *
   * @param received in the order of reception
   * @param tooEarly is called for each message that is not admitted
   * @return the messages for the receiver, in the same order; the caller owes a call of
   *     {@link #settled} for each
   */
  List<HeldMessage> admit(List<HeldMessage> received, Consumer<HeldMessage> tooEarly) {
    List<HeldMessage> admitted = new ArrayList<>();
    List<HeldMessage> refused = new ArrayList<>();
    synchronized (underWay) {
      Set<String> busy = Set.copyOf(underWay.keySet());
      for (HeldMessage one : received) {
        if (!isOrdered(one)) {
          admitted.add(one);
        } else if (busy.contains(one.lane())) {
          refused.add(one);
        } else {
          admitted.add(one);
          underWay.merge(one.lane(), 1, Integer::sum);
        }
      }
    }
    refused.forEach(tooEarly);
    return admitted;
  }

  /** Records that the receiver has finished an admitted message. */
  void settled(HeldMessage one) {
    if (isOrdered(one)) {
      synchronized (underWay) {
        underWay.computeIfPresent(one.lane(), (lane, count) -> count == 1 ? null : count - 1);
      }
    }
  }

  private static boolean isOrdered(HeldMessage one) {
    return one.message().getMessageGroup().isPresent();
  }
}
