package io.hapax.kafka;

import io.hapax.adapter.OffsetTracker;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Holds what belongs to one partition during one assignment: its {@link OffsetTracker}, how far its
 * commits have come, and whether its records can be read. Not thread-safe: it belongs to the poll
 * thread. Times are nanoseconds of the monotonic clock.
 */
final class AssignedPartition<K, V> {

  private final TopicPartition partition;
  private final OffsetTracker<ConsumerRecord<K, V>> offsets;
  private final CommitCursor commits = new CommitCursor();
  private @Nullable OffsetAndMetadata position;
  private @Nullable String stopped;
  private @Nullable String unread;
  private long unreadUntilNanos;

  AssignedPartition(TopicPartition partition) {
    this.partition = partition;
    this.offsets = new OffsetTracker<>(partition.toString());
  }

  TopicPartition partition() {
    return partition;
  }

  OffsetTracker<ConsumerRecord<K, V>> offsets() {
    return offsets;
  }

  /** Returns how far the commits of this assignment have come. */
  CommitCursor commits() {
    return commits;
  }

  /** Adds records in the order of the poll; the position is what the consumer fetches next. */
  void polled(List<ConsumerRecord<K, V>> records, Optional<OffsetAndMetadata> next) {
    unread = null;
    for (ConsumerRecord<K, V> record : records) {
      cutFrom(record.offset());
      offsets.polled(record, record.offset());
    }
    next.ifPresent(it -> {
      cutFrom(it.offset());
      offsets.positioned(it.offset());
      position = it;
    });
  }

  /** Returns what the consumer fetches next, once a poll has reported it. */
  Optional<OffsetAndMetadata> position() {
    return Optional.ofNullable(position);
  }

  /**
   * Moves the position of the consumer forward, past offsets that have no records. A lower offset
   * is ignored: the next records of the partition show that it is read again.
   */
  void advanced(long next) {
    if (position != null && next > position.offset()) {
      offsets.positioned(next);
      position = new OffsetAndMetadata(next, position.leaderEpoch(), "");
    }
  }

  /** Offsets that count from a lower one again make earlier commits meaningless. */
  private void cutFrom(long offset) {
    if (offsets.cutFrom(offset)) {
      commits.restart();
    }
  }

  /** Stops the partition: nothing more can be read from it in this assignment. */
  void stop(String reason) {
    this.stopped = reason;
  }

  /** Pauses reading from the partition until a moment, after which it is tried again. */
  void pauseUntil(long nanos, String reason) {
    this.unread = reason;
    this.unreadUntilNanos = nanos;
  }

  /** Returns whether no more records should be fetched for now. */
  boolean full(int highWater, long nowNanos) {
    return stopped != null
        || (unread != null && unreadUntilNanos - nowNanos > 0)
        || offsets.waiting(nowNanos)
        || offsets.buffered() >= highWater;
  }

  /**
   * Returns why the partition does not move.
   *
   * @param silence how long no outcome may arrive until that is a problem
   */
  Optional<Problems.Found> problem(long nowNanos, Duration silence) {
    return Optional.ofNullable(stopped == null ? unread : stopped)
        .map(reason -> new Problems.Found(
            Problem.Kind.PARTITION_STOPPED, partition.toString(), partition + ": " + reason))
        .or(() -> offsets.problem(nowNanos, silence));
  }

  /** Returns the lowest unfinished offset, if it may be committed and was not requested before. */
  Optional<OffsetAndMetadata> committable() {
    return lowestUnfinished().filter(it -> commits.isNew(it.offset()));
  }

  /** Returns the lowest unfinished offset, if the broker has not acknowledged it. */
  Optional<OffsetAndMetadata> unacknowledged() {
    return lowestUnfinished().filter(it -> commits.isOpen(it.offset()));
  }

  /**
   * Returns the lowest unfinished offset, with the leader epoch of the record in front of it; the
   * position of the consumer if all records are finished.
   */
  Optional<OffsetAndMetadata> lowestUnfinished() {
    Optional<Integer> leaderEpoch = offsets.lastFinished().flatMap(ConsumerRecord::leaderEpoch);
    return offsets
        .firstUnfinished()
        .map(it -> new OffsetAndMetadata(it.offset(), leaderEpoch, ""))
        .or(() -> Optional.ofNullable(position));
  }
}
