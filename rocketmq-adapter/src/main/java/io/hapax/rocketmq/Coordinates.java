package io.hapax.rocketmq;

import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Names queues and the places of messages: {@code topic-broker-queue@offset}. Marks keep the place
 * of their message. A place does not show where the name of its topic ends, so compare it with the
 * names of queues. Thread-safe.
 */
public final class Coordinates {

  private Coordinates() {}

  static MessageQueue queueOf(MessageExt message) {
    return new MessageQueue(
        RocketMqIds.realTopic(message), message.getBrokerName(), message.getQueueId());
  }

  static String of(MessageExt message, MessageQueue queue) {
    return of(queue, message.getQueueOffset());
  }

  static String of(MessageQueue queue, long offset) {
    return queueName(queue) + '@' + offset;
  }

  /**
   * {@return the name of a queue: its topic, broker and number, joined by hyphens} The coordinates
   * of its messages begin with it; the {@code @} and the offset follow.
   *
   * @param queue the queue, with the topic name that the brokers know, so with the namespace
   */
  public static String queueName(MessageQueue queue) {
    return queue.getTopic() + '-' + queue.getBrokerName() + '-' + queue.getQueueId();
  }
}
