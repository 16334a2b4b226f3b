package io.hapax.kafka;

import io.hapax.kafka.internal.OwnedPartitions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
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
   * them), and commits. Partitions that were lost meanwhile are left out. A commit that a rebalance
   * refused, or that the broker did not answer in time, is logged and dropped. A later commit
   * covers it, or its records are redelivered to the next owner and are duplicates there.
   *
   * @param consumer the consumer that the records were polled from, on its own thread
   * @throws org.apache.kafka.common.KafkaException if a commit failed for another reason, which
   *     will not pass by itself; the seeks are done by then, so nothing is lost by polling on
   */
  public void applyTo(Consumer<?, ?> consumer) {
    seeks.forEach((partition, offset) -> rewind(consumer, partition, offset));
    if (commits.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(commits);
    } catch (CommitFailedException | RebalanceInProgressException | RetriableException e) {
      LOG.warn(
          "The commit of {} failed; a later one covers it, or its records are redelivered as duplicates",
          commits,
          e);
    }
  }

  static void rewind(Consumer<?, ?> consumer, TopicPartition partition, OffsetAndMetadata offset) {
    OwnedPartitions.of(partition, () -> {
      consumer.seek(partition, offset);
      consumer.pause(Set.of(partition));
    });
  }
}
