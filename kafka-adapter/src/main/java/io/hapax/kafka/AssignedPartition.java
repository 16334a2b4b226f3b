package io.hapax.kafka;

import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.OffsetTracker;
import io.hapax.adapter.Ordering;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.PolledMessage;
import io.hapax.health.PartitionStatus;
import io.hapax.health.PartitionStatus.Pause;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import io.hapax.kafka.internal.OwnedPartitions;
import io.hapax.kafka.internal.PolledPositions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the offsets of one partition: which records are unfinished, what was committed, and why it
 * pauses. Belongs to one assignment and to the poll thread. Times are monotonic nanoseconds.
 */
final class AssignedPartition<K, V> {

  private static final Logger LOG = LoggerFactory.getLogger(AssignedPartition.class);

  private static final long NOTHING = -1;

  private final TopicPartition partition;
  private final OffsetTracker<ConsumerRecord<K, V>> offsets;
  private final Function<ConsumerRecord<K, V>, Handout<ConsumerRecord<K, V>>> handouts;

  /** The highest offset that a commit requested, and the highest that the broker acknowledged. */
  private long requested = NOTHING;

  private long acknowledged = NOTHING;

  private @Nullable OffsetAndMetadata position;
  private @Nullable String stopped;
  private @Nullable String unread;
  private long unreadUntilNanos;

  /** Where this assignment began to read. */
  private OptionalLong first = OptionalLong.empty();

  AssignedPartition(
      TopicPartition partition,
      Ordering<ConsumerRecord<K, V>> ordering,
      Function<ConsumerRecord<K, V>, Handout<ConsumerRecord<K, V>>> handouts) {
    this.partition = partition;
    this.handouts = handouts;
    this.offsets = new OffsetTracker<>(partition.toString(), ordering);
  }

  static <K, V> List<AssignedPartition<K, V>> ofPoll(
      ConsumerRecords<K, V> records,
      PolledPositions positions,
      Function<ConsumerRecord<K, V>, Handout<ConsumerRecord<K, V>>> handouts) {
    List<AssignedPartition<K, V>> partitions = new ArrayList<>();
    polled(records, positions, each -> {
      partitions.add(new AssignedPartition<>(each, Ordering.byPartition(), handouts));
      return partitions.get(partitions.size() - 1);
    });
    return partitions;
  }

  static <K, V> void polled(
      ConsumerRecords<K, V> records,
      PolledPositions positions,
      Function<TopicPartition, AssignedPartition<K, V>> partitions) {
    positions
        .after()
        .forEach((each, next) -> partitions.apply(each).polled(records.records(each), next));
  }

  /** Returns a record as a loop submits it that waits for the outcomes of each poll. */
  static <K, V> Incoming<ConsumerRecord<K, V>> incoming(
      PolledMessage<ConsumerRecord<K, V>> message, String coordinates, boolean probation) {
    return new Incoming<>(
        message.handout(),
        message.tracker().partition(),
        true,
        coordinates,
        probation,
        Incoming.sentAt(message.message().timestamp()));
  }

  static <K, V> void resolved(
      List<PolledMessage<ConsumerRecord<K, V>>> polled, List<Outcome> outcomes) {
    long now = System.nanoTime();
    for (int i = 0; i < outcomes.size(); i++) {
      polled.get(i).tracker().resolved(polled.get(i), outcomes.get(i), now);
    }
  }

  TopicPartition partition() {
    return partition;
  }

  OffsetTracker<ConsumerRecord<K, V>> offsets() {
    return offsets;
  }

  void polled(List<ConsumerRecord<K, V>> records, OffsetAndMetadata next) {
    unread = null;
    for (ConsumerRecord<K, V> record : records) {
      cutFrom(record.offset());
      begin(record.offset());
      offsets.polled(handouts.apply(record), record.offset());
    }
    cutFrom(next.offset());
    begin(next.offset());
    offsets.positioned(next.offset());
    position = next;
  }

  /** Returns what the consumer fetches next, once a poll has reported it. */
  Optional<OffsetAndMetadata> position() {
    return Optional.ofNullable(position);
  }

  /**
   * Passes transaction markers behind the last record, which kafka-clients before 4.0 do not
   * report. Call it once the partition has the records: the position then covers no other one.
   */
  void passMarkers(Consumer<?, ?> consumer) {
    if (position != null && consumer.assignment().contains(partition)) {
      try {
        OwnedPartitions.of(partition, () -> advanced(consumer.position(partition, Duration.ZERO)));
      } catch (WakeupException | RetriableException e) {
        LOG.trace("The position of {} is not known now", partition, e);
      }
    }
  }

  /** Ignores a lower offset: the next records show that the partition is read again. */
  private void advanced(long next) {
    if (position != null && next > position.offset()) {
      offsets.positioned(next);
      position = new OffsetAndMetadata(next, position.leaderEpoch(), "");
    }
  }

  /** Returns the offset to read again: of the lowest record that cannot be given once more. */
  OptionalLong readSpentAgain() {
    OptionalLong spent = offsets.firstSpent();
    if (spent.isPresent()) {
      offsets.cutFrom(spent.getAsLong());
      offsets.positioned(spent.getAsLong());
      position = new OffsetAndMetadata(
          spent.getAsLong(), offsets.lastFinished().flatMap(ConsumerRecord::leaderEpoch), "");
    }
    return spent;
  }

  private void begin(long offset) {
    if (first.isEmpty()) {
      first = OptionalLong.of(offset);
    }
  }

  /** Offsets that count from a lower one again make earlier commits meaningless. */
  private void cutFrom(long offset) {
    if (offsets.cutFrom(offset)) {
      requested = NOTHING;
      acknowledged = NOTHING;
      first = OptionalLong.empty();
    }
  }

  void stop(String reason) {
    this.stopped = reason;
  }

  void pauseUntil(long nanos, String reason) {
    this.unread = reason;
    this.unreadUntilNanos = nanos;
  }

  /** Whether {@code highWater} records wait to be submitted, or {@code most} are kept. */
  boolean full(int highWater, int most, long nowNanos) {
    return pause(highWater, most, nowNanos).isPresent();
  }

  private Optional<Pause> pause(int highWater, int most, long nowNanos) {
    if (stopped != null || (unread != null && unreadUntilNanos - nowNanos > 0)) {
      return Optional.of(Pause.UNREADABLE);
    } else if (offsets.waiting(nowNanos)) {
      return Optional.of(Pause.DEFERRED);
    }
    return offsets.buffered() >= highWater || offsets.kept() >= most
        ? Optional.of(Pause.BACKPRESSURE)
        : Optional.empty();
  }

  PartitionStatus status(int highWater, int most, long nowNanos, OptionalLong lag) {
    long next = offsets.next().orElse(0);
    long committed = acknowledged == NOTHING ? first.orElse(next) : acknowledged;
    return new PartitionStatus(
        partition.toString(),
        offsets.inFlight(),
        Math.max(0, offsets.buffered()),
        pause(highWater, most, nowNanos),
        Math.max(0, next - committed),
        lag);
  }

  Optional<Problems.Found> problem(long nowNanos, Duration silence) {
    return Optional.ofNullable(stopped == null ? unread : stopped)
        .map(reason -> new Problems.Found(
            Problem.Kind.PARTITION_STOPPED, partition.toString(), partition + ": " + reason))
        .or(() -> offsets.problem(nowNanos, silence));
  }

  /** Returns the lowest unfinished offset, if it may be committed and was not requested before. */
  Optional<OffsetAndMetadata> committable() {
    return lowestUnfinished().filter(it -> it.offset() > requested);
  }

  Optional<OffsetAndMetadata> unacknowledged() {
    return lowestUnfinished().filter(it -> it.offset() > acknowledged);
  }

  void commitRequested(long offset) {
    requested = Math.max(requested, offset);
  }

  void commitSucceeded(long offset) {
    acknowledged = Math.max(acknowledged, offset);
  }

  /** Forgets a failed request, unless a later one followed it. */
  void commitFailed(long offset) {
    if (requested == offset) {
      requested = acknowledged;
    }
  }

  /** Has the leader epoch of the record before it. It is the position if all are finished. */
  Optional<OffsetAndMetadata> lowestUnfinished() {
    Optional<Integer> leaderEpoch = offsets.lastFinished().flatMap(ConsumerRecord::leaderEpoch);
    return offsets
        .firstUnfinished()
        .map(it -> new OffsetAndMetadata(it.offset(), leaderEpoch, ""))
        .or(() -> Optional.ofNullable(position));
  }
}
