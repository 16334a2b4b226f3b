package io.hapax.rocketmq;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * Which queues are new here. What a message that kills its process had before it is acknowledged in
 * memory only, and comes again; so a queue counts as new until its client must have written its
 * offset, and again after it was silent for so long, because another may have had it meanwhile.
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
