package io.hapax.adapter;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The lanes of one partition during one assignment. The lane of the partition always exists; a lane
 * of a key exists while the tracker has a message of it. Belongs to the poll thread.
 */
final class TrackedLanes<M> {

  /** Lanes of an earlier assignment may still be in flight, so no name is used twice. */
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final String partition;
  private final Ordering<M> ordering;
  private final TrackedLane<M> ofPartition;
  private final Map<Object, TrackedLane<M>> byKey = new HashMap<>();
  private boolean single = true;

  TrackedLanes(String partition, Ordering<M> ordering) {
    this.partition = partition;
    this.ordering = ordering;
    this.ofPartition = new TrackedLane<>(Ordering.PARTITION, partition);
  }

  TrackedLane<M> polled(M message) {
    TrackedLane<M> lane = lane(ordering.lane(message));
    lane.polled();
    return lane;
  }

  private TrackedLane<M> lane(Object key) {
    if (key == Ordering.PARTITION) {
      return ofPartition;
    }
    single = false;
    if (key == Ordering.ALONE) {
      return named(key);
    }
    try {
      return byKey.computeIfAbsent(key, this::named);
    } catch (RuntimeException | StackOverflowError e) { // of its equals or hashCode
      return ofPartition;
    }
  }

  private TrackedLane<M> named(Object key) {
    return new TrackedLane<>(key, partition + "#" + NUMBERS.incrementAndGet());
  }

  void finished(PolledMessage<M> message) {
    message.lane().finished(message);
    forgetIfEnded(message.lane());
  }

  void resolved(PolledMessage<M> message) {
    forgetIfEnded(message.lane());
  }

  private void forgetIfEnded(TrackedLane<M> lane) {
    if (!ended(lane, false) || lane.key() == Ordering.ALONE) {
      return;
    }
    try {
      byKey.remove(lane.key(), lane);
    } catch (RuntimeException | StackOverflowError e) { // of its equals or hashCode
      byKey.values().remove(lane);
    }
  }

  /**
   * Returns whether nothing of a lane remains. The lane of the partition never ends: the next
   * assignment has one of the same name.
   *
   * @param dropped whether what is not in flight does not count
   */
  boolean ended(TrackedLane<M> lane, boolean dropped) {
    return lane != ofPartition && (dropped ? !lane.inFlight() : lane.idle());
  }

  /** Returns whether all messages have been of the lane of the partition. */
  boolean single() {
    return single;
  }

  TrackedLane<M> ofPartition() {
    return ofPartition;
  }

  boolean inOrder() {
    return ordering.inOrder();
  }
}
