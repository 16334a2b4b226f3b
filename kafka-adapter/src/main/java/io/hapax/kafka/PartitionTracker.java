package io.hapax.kafka;

import io.hapax.adapter.Outcome;
import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The bookkeeping of one partition during one assignment. The object is the epoch: it is made when
 * the partition is assigned and dropped when it is revoked or lost, so that an outcome that comes
 * late can only reach the bookkeeping that nobody looks at any more.
 *
 * <p>Offsets are never assumed to be contiguous: transaction markers, aborted records and
 * compaction leave gaps. What may be committed is the offset of the lowest polled record that is
 * not finished, or, when all are, the position that the consumer told. Not thread-safe; time is
 * handed in, in nanoseconds of the monotonic clock.
 */
final class PartitionTracker<K, V> {

  /** A polled record; knows the tracker it belongs to, and so the epoch. */
  static final class Slot<K, V> {
    private final PartitionTracker<K, V> tracker;
    private final ConsumerRecord<K, V> record;
    private boolean finished;

    private Slot(PartitionTracker<K, V> tracker, ConsumerRecord<K, V> record) {
      this.tracker = tracker;
      this.record = record;
    }

    PartitionTracker<K, V> tracker() {
      return tracker;
    }

    ConsumerRecord<K, V> record() {
      return record;
    }
  }

  private final TopicPartition partition;
  private final Deque<Slot<K, V>> slots = new ArrayDeque<>();
  private int unfinished;
  private int underway;
  private long movedNanos;
  private boolean probation = true;

  private @Nullable Slot<K, V> blocker;
  private Outcome.@Nullable Deferred blockedBy;
  private long dueNanos;
  private @Nullable String stuck;
  private @Nullable String unread;
  private long unreadUntilNanos;

  private @Nullable OffsetAndMetadata position;
  private long polledUpTo;
  private Optional<Integer> finishedEpoch = Optional.empty();
  private final CommitCursor commits = new CommitCursor();

  PartitionTracker(TopicPartition partition) {
    this.partition = partition;
  }

  TopicPartition partition() {
    return partition;
  }

  /** How far the commits of this assignment have come. */
  CommitCursor commits() {
    return commits;
  }

  /** Adds records in the order of the poll; the position is what the consumer will fetch next. */
  void polled(List<ConsumerRecord<K, V>> records, Optional<OffsetAndMetadata> next) {
    unread = null;
    for (ConsumerRecord<K, V> record : records) {
      cutFrom(record.offset());
      slots.addLast(new Slot<>(this, record));
      unfinished++;
      polledUpTo = record.offset() + 1;
    }
    next.ifPresent(it -> {
      cutFrom(it.offset());
      polledUpTo = it.offset();
      position = it;
    });
  }

  /**
   * Offsets never go down unless the log was cut off behind the reader, or its topic made anew.
   * What was read from there on is gone or comes again, and what was committed says nothing of it.
   */
  private void cutFrom(long offset) {
    if (offset >= polledUpTo) {
      return;
    }
    for (Slot<K, V> tail = slots.peekLast();
        tail != null && tail.record.offset() >= offset;
        tail = slots.peekLast()) {
      slots.removeLast();
      finish(tail);
    }
    if (blocker != null && blocker.finished) {
      blocker = null;
      blockedBy = null;
    }
    commits.restart();
  }

  private void finish(Slot<K, V> slot) {
    if (!slot.finished) {
      slot.finished = true;
      unfinished--;
    }
  }

  /** Whether records wait, none is under way, and none has to wait for a later moment. */
  boolean ready(long nowNanos) {
    return underway == 0 && unfinished > 0 && !waiting(nowNanos);
  }

  /** Takes the first unfinished records for a submission. */
  List<Slot<K, V>> take(int limit, long nowNanos) {
    movedNanos = nowNanos;
    List<Slot<K, V>> window = new ArrayList<>(Math.min(limit, unfinished));
    for (Slot<K, V> slot : slots) {
      if (window.size() == limit) {
        break;
      }
      if (!slot.finished) {
        window.add(slot);
      }
    }
    underway = window.size();
    blocker = null;
    blockedBy = null;
    return window;
  }

  /** Whether no window of this assignment has been finished as a whole yet. */
  boolean probation() {
    return probation;
  }

  /** Books the outcome of a record that was taken. */
  void resolved(Slot<K, V> slot, Outcome outcome, long nowNanos) {
    underway--;
    movedNanos = nowNanos;
    if (outcome instanceof Outcome.Deferred deferred && !slot.finished) {
      deferred(slot, deferred, nowNanos);
    } else {
      finish(slot);
      dropFinishedPrefix();
    }
    if (underway == 0 && blockedBy == null) {
      probation = false;
    }
  }

  private void deferred(Slot<K, V> slot, Outcome.Deferred deferred, long nowNanos) {
    boolean first = blocker == null || slot.record.offset() < blocker.record.offset();
    if (first) {
      blocker = slot;
      blockedBy = deferred;
      dueNanos = nowNanos + Math.max(0, saturatedNanos(deferred.after()));
    }
  }

  private static long saturatedNanos(Duration duration) {
    return duration.compareTo(Duration.ofDays(365)) > 0
        ? Duration.ofDays(365).toNanos()
        : duration.toNanos();
  }

  private void dropFinishedPrefix() {
    for (Slot<K, V> head = slots.peekFirst();
        head != null && head.finished;
        head = slots.peekFirst()) {
      finishedEpoch = head.record.leaderEpoch();
      slots.removeFirst();
    }
  }

  /** Whether records are in the hands of the receiver. */
  boolean underway() {
    return underway > 0;
  }

  private boolean waiting(long nowNanos) {
    return blockedBy != null && dueNanos - nowNanos > 0;
  }

  /** Nothing more can be read from this partition in this assignment. */
  void stuck(String reason) {
    this.stuck = reason;
  }

  /** Nothing is read from this partition until a moment, and then it is tried again. */
  void unreadUntil(long nanos, String reason) {
    this.unread = reason;
    this.unreadUntilNanos = nanos;
  }

  private boolean resting(long nowNanos) {
    return unread != null && unreadUntilNanos - nowNanos > 0;
  }

  /** Whether no more records should be fetched for now. */
  boolean full(int highWater, long nowNanos) {
    return stuck != null
        || resting(nowNanos)
        || waiting(nowNanos)
        || unfinished - underway >= highWater;
  }

  /**
   * Why the partition waits, if it waits for anything but its turn.
   *
   * @param nowNanos the time
   * @param silence how long no outcome may come of what is under way until that is a problem
   */
  Optional<Problems.Found> problem(long nowNanos, Duration silence) {
    if (stuck != null) {
      return found(Problem.Kind.PARTITION_STOPPED, partition.toString(), stuck);
    }
    if (unread != null) {
      return found(Problem.Kind.PARTITION_STOPPED, partition.toString(), unread);
    }
    Slot<K, V> slot = slots.peekFirst();
    if (slot != null && underway > 0 && nowNanos - movedNanos > silence.toNanos()) {
      String text = "no outcome for more than " + silence + " (" + underway + " under way)";
      return found(Problem.Kind.NO_PROGRESS, coordinates(slot), text);
    }
    Outcome.Deferred reason = blockedBy;
    if (reason == null || blocker == null) {
      return Optional.empty();
    }
    String text = reason.reason() + (reason.detail().isEmpty() ? "" : ": " + reason.detail());
    return found(Problem.Kind.PARTITION_WAITING, coordinates(blocker), text);
  }

  private static Optional<Problems.Found> found(Problem.Kind kind, String subject, String text) {
    return Optional.of(new Problems.Found(kind, subject, subject + ": " + text));
  }

  private String coordinates(Slot<K, V> slot) {
    return partition + "@" + slot.record.offset();
  }

  /** The lowest unfinished offset, if it may be committed and was not requested before. */
  Optional<OffsetAndMetadata> committable() {
    return lowestUnfinished().filter(it -> commits.isNew(it.offset()));
  }

  /**
   * The lowest unfinished offset, if the broker has not acknowledged it: for the last commit of an
   * epoch.
   */
  Optional<OffsetAndMetadata> unacknowledged() {
    return lowestUnfinished().filter(it -> commits.isOpen(it.offset()));
  }

  /** The lowest unfinished offset, once it is known. */
  Optional<OffsetAndMetadata> lowestUnfinished() {
    Slot<K, V> head = slots.peekFirst();
    return head == null
        ? Optional.ofNullable(position)
        : Optional.of(new OffsetAndMetadata(head.record.offset(), finishedEpoch, ""));
  }

  /** The lowest unfinished record, if one was polled. */
  Optional<ConsumerRecord<K, V>> firstUnfinished() {
    return Optional.ofNullable(slots.peekFirst()).map(Slot::record);
  }

  /** What is left of the wait of a deferred record. */
  Duration remaining(long nowNanos) {
    return waiting(nowNanos) ? Duration.ofNanos(dueNanos - nowNanos) : Duration.ZERO;
  }
}
