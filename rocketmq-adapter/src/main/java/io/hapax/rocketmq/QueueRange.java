package io.hapax.rocketmq;

import io.hapax.audit.ScannedRange;
import org.apache.rocketmq.common.message.MessageQueue;

/** A part of a queue that is to be read. */
record QueueRange(MessageQueue queue, ScannedRange range) {

  static QueueRange of(MessageQueue queue, long from, long to) {
    return new QueueRange(queue, new ScannedRange(place(queue), from, Math.max(from, to)));
  }

  /** A queue as the receiver writes it in coordinates. */
  static String place(MessageQueue queue) {
    return queue.getTopic() + '-' + queue.getBrokerName() + '-' + queue.getQueueId();
  }

  static String coordinates(MessageQueue queue, long offset) {
    return place(queue) + '@' + offset;
  }
}
