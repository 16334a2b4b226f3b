package io.hapax.rocketmq;

import io.hapax.audit.ScannedRange;
import org.apache.rocketmq.common.message.MessageQueue;

/** A part of a queue that is to be read. */
record QueueRange(MessageQueue queue, ScannedRange range) {

  static QueueRange of(MessageQueue queue, long from, long to) {
    return new QueueRange(
        queue, new ScannedRange(Coordinates.queueName(queue), from, Math.max(from, to)));
  }
}
