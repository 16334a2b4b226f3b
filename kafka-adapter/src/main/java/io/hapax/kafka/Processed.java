package io.hapax.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of a poll.
 *
 * @param commits what may be committed: for each partition the lowest offset that is not settled
 * @param seeks where to read on in partitions in which something was deferred; the records from
 *     there on were or must be seen again
 * @param waits how long each of those partitions should rest before it is read again
 */
public record Processed(
    Map<TopicPartition, OffsetAndMetadata> commits,
    Map<TopicPartition, OffsetAndMetadata> seeks,
    Map<TopicPartition, Duration> waits) {

  private static final Logger LOG = LoggerFactory.getLogger(Processed.class);

  /**
   * Seeks, pauses the partitions that should rest ({@link KafkaBatchProcessor#resumeDue} wakes
   * them), and commits. A commit that a rebalance refused is logged and dropped: its records are
   * delivered again to the next owner and found done.
   *
   * @param consumer the consumer that the records were polled from, on its own thread
   */
  public void applyTo(Consumer<?, ?> consumer) {
    seeks.forEach(consumer::seek);
    consumer.pause(seeks.keySet());
    if (commits.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(commits);
    } catch (CommitFailedException | RebalanceInProgressException e) {
      LOG.warn("The commit of {} was refused; they are delivered again and found done", commits, e);
    }
  }
}
