package io.hapax.rocketmq;

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
import org.apache.rocketmq.common.message.MessageExt;
import org.jspecify.annotations.Nullable;

/**
 * What is in the hands of the receiver. Outcomes come from any thread into a queue; everything else
 * belongs to the thread that polls, which books them.
 */
final class PullFlights {

  private record Completion(QueueTracker.Slot slot, Outcome outcome) {}

  private final IdempotentReceiver<MessageExt> receiver;
  private final BlockingQueue<Completion> completions = new LinkedBlockingQueue<>();
  private final Map<QueueTracker, Submission> submissions = new HashMap<>();

  PullFlights(IdempotentReceiver<MessageExt> receiver) {
    this.receiver = receiver;
  }

  /**
   * Hands in the next window of each of these queues, as many of them together as make one window,
   * so that they are claimed together.
   */
  void submit(List<QueueTracker> ready, int window, long nowNanos) {
    List<QueueTracker.Slot> slots = new ArrayList<>();
    for (QueueTracker tracker : ready) {
      List<QueueTracker.Slot> next = tracker.take(window, nowNanos);
      submissions.remove(tracker); // should the receiver refuse, no outcome is to be waited for
      if (!slots.isEmpty() && slots.size() + next.size() > window) {
        handIn(slots);
        slots = new ArrayList<>();
      }
      slots.addAll(next);
    }
    handIn(slots);
  }

  private void handIn(List<QueueTracker.Slot> slots) {
    List<Incoming<MessageExt>> messages =
        slots.stream().map(PullFlights::incoming).toList();
    Submission submission = receiver.submit(
        messages, (index, outcome) -> completions.add(new Completion(slots.get(index), outcome)));
    slots.forEach(slot -> submissions.put(slot.tracker(), submission));
  }

  private static Incoming<MessageExt> incoming(QueueTracker.Slot slot) {
    QueueTracker tracker = slot.tracker();
    return new Incoming<>(
        slot.message(),
        Coordinates.of(tracker.queue()),
        Coordinates.of(slot.message(), tracker.queue()),
        tracker.probation(),
        Incoming.sentAt(slot.message().getBornTimestamp()));
  }

  /** Books what has arrived. */
  int book() {
    int booked = 0;
    for (Completion next = completions.poll(); next != null; next = completions.poll()) {
      book(next);
      booked++;
    }
    return booked;
  }

  private static void book(Completion completion) {
    completion
        .slot()
        .tracker()
        .resolved(completion.slot(), completion.outcome(), System.nanoTime());
  }

  /** Waits until something has arrived, and books it. */
  void await(Duration atMost) {
    Completion next = poll(atMost.toNanos());
    if (next != null) {
      book(next);
    }
  }

  /** Null also after an interrupt, which the caller's thread keeps. */
  private @Nullable Completion poll(long nanos) {
    try {
      return completions.poll(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * Gives up what has not started of these queues. Others that were handed in together with them
   * come back too, and are handed in again.
   */
  void abandon(Collection<QueueTracker> trackers) {
    for (QueueTracker tracker : trackers) {
      Submission submission = submissions.get(tracker);
      if (submission != null && tracker.underway()) {
        submission.abandon();
      }
    }
  }

  /** Books outcomes until nothing of these queues is under way, or the time is over. */
  boolean drain(Collection<QueueTracker> trackers, Duration atMost) {
    long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost);
    while (trackers.stream().anyMatch(it -> it.underway() && submissions.containsKey(it))) {
      Completion next = poll(Math.max(0, end - System.nanoTime()));
      if (next == null) {
        return false;
      }
      book(next);
    }
    return true;
  }

  /** Keeps nothing of queues whose epoch is over; outcomes that come yet are booked to them. */
  void forget(Collection<QueueTracker> trackers) {
    trackers.forEach(submissions::remove);
  }
}
