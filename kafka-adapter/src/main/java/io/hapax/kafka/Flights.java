package io.hapax.kafka;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What is in the hands of the receiver. Outcomes come from any thread into a queue; everything else
 * belongs to the poll thread, which books them.
 */
final class Flights<K, V> {

  private record Completion<K, V>(PartitionTracker.Slot<K, V> slot, Outcome outcome) {}

  private final IdempotentReceiver<ConsumerRecord<K, V>> receiver;
  private final BlockingQueue<Completion<K, V>> completions = new LinkedBlockingQueue<>();
  private final Map<PartitionTracker<K, V>, Submission> submissions = new HashMap<>();

  Flights(IdempotentReceiver<ConsumerRecord<K, V>> receiver) {
    this.receiver = receiver;
  }

  /**
   * Hands in the next window of each of these partitions, as many of them together as make one
   * window, so that they are claimed together and no call to the store grows with the number of
   * partitions.
   */
  void submit(List<PartitionTracker<K, V>> ready, int window, long nowNanos) {
    List<PartitionTracker.Slot<K, V>> slots = new ArrayList<>();
    for (PartitionTracker<K, V> tracker : ready) {
      List<PartitionTracker.Slot<K, V>> next = tracker.take(window, nowNanos);
      submissions.remove(tracker); // should the receiver refuse, no outcome is to be waited for
      if (!slots.isEmpty() && slots.size() + next.size() > window) {
        handIn(slots);
        slots = new ArrayList<>();
      }
      slots.addAll(next);
    }
    handIn(slots);
  }

  private void handIn(List<PartitionTracker.Slot<K, V>> slots) {
    List<Incoming<ConsumerRecord<K, V>>> messages =
        slots.stream().map(Flights::incoming).toList();
    Submission submission = receiver.submit(
        messages, (index, outcome) -> completions.add(new Completion<>(slots.get(index), outcome)));
    slots.forEach(slot -> submissions.put(slot.tracker(), submission));
  }

  static <K, V> Incoming<ConsumerRecord<K, V>> incoming(PartitionTracker.Slot<K, V> slot) {
    String lane = slot.tracker().partition().toString();
    return new Incoming<>(
        slot.record(),
        lane,
        lane + "@" + slot.record().offset(),
        slot.tracker().probation(),
        Incoming.sentAt(slot.record().timestamp()));
  }

  /** Books what has arrived. */
  int book() {
    int booked = 0;
    for (Completion<K, V> next = completions.poll(); next != null; next = completions.poll()) {
      book(next);
      booked++;
    }
    return booked;
  }

  /**
   * Gives up what has not started of these partitions. Others that were handed in together with
   * them come back too, and are handed in again.
   */
  void abandon(Collection<PartitionTracker<K, V>> trackers) {
    for (PartitionTracker<K, V> tracker : trackers) {
      Submission submission = submissions.get(tracker);
      if (submission != null && tracker.underway()) {
        submission.abandon();
      }
    }
  }

  /** Books outcomes until nothing of these partitions is under way, or the time is over. */
  boolean drain(Collection<PartitionTracker<K, V>> trackers, Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    try {
      while (trackers.stream().anyMatch(this::expectsOutcomes)) {
        Completion<K, V> next =
            completions.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (next == null) {
          return false;
        }
        book(next);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Keeps nothing of partitions whose epoch is over; outcomes that come yet are booked to them. */
  void forget(Collection<PartitionTracker<K, V>> trackers) {
    trackers.forEach(submissions::remove);
  }

  private boolean expectsOutcomes(PartitionTracker<K, V> tracker) {
    return tracker.underway() && submissions.containsKey(tracker);
  }

  private void book(Completion<K, V> completion) {
    PartitionTracker<K, V> tracker = completion.slot().tracker();
    tracker.resolved(completion.slot(), completion.outcome(), System.nanoTime());
  }
}
