package io.hapax.rocketmq;

import io.hapax.audit.AuditFailedException;
import io.hapax.audit.AuditProgress;
import java.util.Collection;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.common.message.MessageExt;

/** Reads parts of queues, one after the other, up to the ends that were fixed before the scan. */
final class QueueScan {

  /** Takes the messages that are read, in the order of their queue. */
  interface Sink {
    void add(MessageExt message, String coordinates) throws InterruptedException;
  }

  private final BrokerView brokers;
  private final Sink sink;
  private final AuditProgress progress;

  QueueScan(BrokerView brokers, Sink sink, AuditProgress progress) {
    this.brokers = brokers;
    this.sink = sink;
    this.progress = progress;
  }

  void read(Collection<QueueRange> ranges) throws InterruptedException {
    long all = ranges.stream().mapToLong(it -> it.range().length()).sum();
    long behind = 0;
    for (QueueRange range : ranges) {
      read(range, behind, all);
      behind += range.range().length();
    }
    progress.at(all, all);
  }

  /** By offsets, not by counts: a queue may have lost its beginning meanwhile. */
  private void read(QueueRange range, long behind, long all) throws InterruptedException {
    long end = range.range().to();
    long offset = range.range().from();
    while (offset < end) {
      progress.at(behind + offset - range.range().from(), all);
      PullResult pulled = brokers.pull(range.queue(), offset);
      if (pulled.getPullStatus() == PullStatus.FOUND) {
        for (MessageExt message : pulled.getMsgFoundList()) {
          if (message.getQueueOffset() < end) {
            sink.add(message, Coordinates.of(range.queue(), message.getQueueOffset()));
          }
        }
      }
      if (pulled.getNextBeginOffset() <= offset) {
        throw new AuditFailedException(range.range().place() + " answers " + pulled.getPullStatus()
            + " at " + offset + " although the end was " + end + " when the scan began");
      }
      offset = pulled.getNextBeginOffset();
    }
  }
}
