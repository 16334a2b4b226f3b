package io.hapax.operations.internal;

import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.ScannedRange;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import java.util.List;

/**
 * A connection that reads topics without a group. What the brokers do not answer is an
 * {@link io.hapax.errors.AuditFailedException}. For one thread.
 *
 * @param <M> the broker's message
 */
public interface TopicReader<M> extends AutoCloseable {

  /** Takes the messages that are read, in the order of their partition or queue. */
  interface Sink<M> {

    void add(M message, String coordinates) throws InterruptedException;

    void addUnreadable(String coordinates, String why);
  }

  /** Finds the first offset of a partition or queue at a time or later; negative if none. */
  interface AtTime {
    long offset(StartingPoint.Time time) throws InterruptedException;
  }

  /**
   * Returns the offsets from a starting point to the present end, for each partition or queue.
   *
   * @throws IllegalArgumentException if the topic or a part of it does not exist, or ends before
   *     the starting point
   */
  List<ScannedRange> ranges(TopicPart part, StartingPoint from) throws InterruptedException;

  /** Reads offsets of a topic to their ends, whatever is in the topic behind them by then. */
  void read(TopicPart part, List<ScannedRange> ranges, Sink<M> sink, AuditProgress progress)
      throws InterruptedException;

  /** Closes the connection. */
  @Override
  void close();

  /** Returns the offsets of one partition or queue from a starting point to its end. */
  static ScannedRange range(String place, long begin, long end, StartingPoint from, AtTime time)
      throws InterruptedException {
    long last = Math.max(begin, end);
    long start = begin;
    if (from instanceof StartingPoint.Time at) {
      long found = time.offset(at);
      start = found < 0 ? last : Math.min(last, Math.max(begin, found));
    } else if (from instanceof StartingPoint.Offset offset) {
      start = Math.max(begin, offset.offset());
      if (start > last) {
        throw Text.of("topic.ends", offset.offset(), place, last).refusal();
      }
    } else if (from instanceof StartingPoint.Newest newest) {
      start = Math.max(begin, last - newest.offsets());
    }
    return new ScannedRange(place, start, last);
  }
}
