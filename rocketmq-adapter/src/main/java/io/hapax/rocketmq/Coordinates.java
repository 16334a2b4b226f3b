package io.hapax.rocketmq;

import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** Names queues and the places of messages, for people. */
final class Coordinates {

  private Coordinates() {}

  static String of(MessageExt message, MessageQueue queue) {
    return of(queue) + '@' + message.getQueueOffset();
  }

  static String of(MessageQueue queue) {
    return queue.getTopic() + '-' + queue.getBrokerName() + '-' + queue.getQueueId();
  }
}
