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
 * The order of message groups: of one group, only what was received at once is with the receiver at
 * the same time, in one lane, and is handled there in its order. Messages without a group wait for
 * nobody. Thread-safe.
 */
final class MessageGroups {

  private static final AtomicLong LANES = new AtomicLong();

  /** How many messages of each group are with the receiver, by lane; none with zero. */
  private final Map<String, Integer> underWay = new HashMap<>();

  /** The lane of a message: that of its group within its topic, or one of its own. */
  static String lane(MessageView message) {
    return message
        .getMessageGroup()
        .map(group -> message.getTopic() + '/' + group)
        .orElseGet(() -> "#" + LANES.incrementAndGet());
  }

  /**
   * Admits what was received at once, but for the groups of which something is under way. A FIFO
   * group's messages come only after those before them are acknowledged, unless these could not be
   * renewed in time. Then they come all again, and must wait until the first time has ended.
   *
   * @param received in the order of reception
   * @param tooEarly is told of each that is not admitted
   * @return what may go to the receiver, in the same order; {@link #settled} is owed for each
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

  /** The receiver has done with one that was admitted. */
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
