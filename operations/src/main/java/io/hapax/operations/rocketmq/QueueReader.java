package io.hapax.operations.rocketmq;

import io.hapax.operations.internal.TopicReader;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** Reads queues, one after the other. */
record QueueReader(ToolsClient brokers) implements TopicReader<MessageExt> {

  @Override
  public List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException {
    return brokers.ranges(part, from);
  }

  @Override
  public void read(
      TopicPart part, List<ScannedRange> ranges, Sink<MessageExt> sink, AuditProgress progress)
      throws InterruptedException {
    Map<String, MessageQueue> queues = brokers.queuesByName(part);
    long all = ranges.stream().mapToLong(ScannedRange::length).sum();
    long behind = 0;
    for (ScannedRange range : ranges) {
      MessageQueue queue = queues.get(range.place());
      if (queue == null) {
        throw Text.of("topic.gone", range.place()).failure();
      }
      long before = behind;
      read(queue, range, sink, offset -> progress.at(before + offset - range.from(), all));
      behind += range.length();
    }
    progress.at(all, all);
  }

  /** Gets the offset before each pull. */
  private interface Position {
    void at(long offset);
  }

  /** Reads by offsets, not by counts: a queue may have lost its beginning meanwhile. */
  private void read(
      MessageQueue queue, ScannedRange range, Sink<MessageExt> sink, Position position)
      throws InterruptedException {
    long offset = range.from();
    while (offset < range.to()) {
      position.at(offset);
      PullResult pulled = brokers.pull(queue, offset);
      if (pulled.getPullStatus() == PullStatus.FOUND) {
        for (MessageExt message : pulled.getMsgFoundList()) {
          if (message.getQueueOffset() < range.to()) {
            sink.add(message, range.place() + '@' + message.getQueueOffset());
          }
        }
      }
      if (pulled.getNextBeginOffset() <= offset) {
        throw Text.of("topic.stuck", range.place(), pulled.getPullStatus(), offset, range.to())
            .failure();
      }
      offset = pulled.getNextBeginOffset();
    }
  }

  @Override
  public void close() {
    brokers.close();
  }
}
