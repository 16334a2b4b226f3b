package io.hapax.rocketmq;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Decides which queues are new to this consumer. Messages in front of one that kills the process
 * are acknowledged in memory only, and are redelivered. A queue is therefore new until the client
 * must have written its offset. It is new again after a silence of that length, because another
 * consumer may have had it.
 */
final class Probation {

  private record Seen(long firstNanos, long lastNanos) {}

  private final long newNanos;
  private final Map<MessageQueue, Seen> queues = new ConcurrentHashMap<>();

  Probation(Duration persistInterval) {
    this.newNanos = persistInterval.multipliedBy(2).toNanos();
  }

  boolean isNew(MessageQueue queue, long nowNanos) {
    Seen seen = queues.merge(
        queue,
        new Seen(nowNanos, nowNanos),
        (before, now) -> now.lastNanos() - before.lastNanos() > newNanos
            ? now
            : new Seen(before.firstNanos(), now.lastNanos()));
    return nowNanos - seen.firstNanos() < newNanos;
  }
}
