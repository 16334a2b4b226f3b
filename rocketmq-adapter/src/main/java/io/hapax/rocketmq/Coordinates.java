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

  static String of(MessageExt message, MessageQueue queue) {
    return of(queue, message.getQueueOffset());
  }

  static String of(MessageQueue queue, long offset) {
    return of(queue) + '@' + offset;
  }

  /**
   * Returns the part of the coordinates that all messages of a queue have in common, up to the
   * {@code @} and the offset.
   *
   * @param queue the queue, with the topic name that the brokers know, so with the namespace
   * @return its name
   */
  public static String of(MessageQueue queue) {
    return queue.getTopic() + '-' + queue.getBrokerName() + '-' + queue.getQueueId();
  }
}
