package io.hapax.rocketmq;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of messages that were sent back once and then forwarded to another topic with all their
 * properties. A broker writes {@code RETRY_TOPIC} only where it is missing. If such a message is
 * sent back in its new topic too, the broker redelivers it under its old topic, and the message no
 * longer names the new one.
 *
 * <p>Such a message can be recognised until it is sent back in its new topic. A broker that stores
 * a fresh message does not touch the property, and every other message with the property comes from
 * a retry topic.
 */
final class ForwardedMessages {

  /** Limits the pairs that are remembered: a producer may write anything into the property. */
  static final int MOST = 100;

  private static final Logger LOG = LoggerFactory.getLogger(ForwardedMessages.class);

  private final Supplier<String> group;
  private final Set<List<String>> reported = ConcurrentHashMap.newKeySet();

  ForwardedMessages(Supplier<String> group) {
    this.group = group;
  }

  /** Needs the queue: a message from a retry topic has the name of its old topic. */
  void look(List<MessageExt> messages, MessageQueue queue) {
    if (queue.getTopic().startsWith(ClientInternals.RETRY_PREFIX)) {
      return;
    }
    for (MessageExt message : messages) {
      String old = message.getProperty(MessageConst.PROPERTY_RETRY_TOPIC);
      if (old != null && !old.equals(queue.getTopic())) {
        warn(queue, old, message);
      }
    }
  }

  private void warn(MessageQueue queue, String old, MessageExt message) {
    if (reported.size() < MOST && reported.add(List.of(queue.getTopic(), old))) {
      LOG.warn(
          "Messages of topic {} carry RETRY_TOPIC {} (the first is {}): they were sent back there,"
              + " and forwarded with all their properties. If one is sent back here too, it is"
              + " redelivered as a message of {}. If group {} reads that topic, the message counts"
              + " as done there and is lost. Let the forwarding service send a new message",
          queue.getTopic(),
          old,
          Coordinates.of(message, queue),
          old,
          group.get());
    }
  }
}
