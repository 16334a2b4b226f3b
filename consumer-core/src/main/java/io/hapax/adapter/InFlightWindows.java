package io.hapax.adapter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Submits windows of partitions to a receiver and applies their outcomes to the trackers. Outcomes
 * arrive on any thread and wait in a queue; all methods belong to the poll thread.
 *
 * @param <M> the broker's message
 */
public final class InFlightWindows<M> {

  /**
   * Submits messages, as {@link io.hapax.IdempotentReceiver#submit} does.
   *
   * @param <M> the broker's message
   */
  @FunctionalInterface
  public interface Submitter<M> {

    /**
     * Submits messages and returns at once.
     *
     * @param messages the messages
     * @param sink receives the outcomes
     * @return the submission
     */
    Submission submit(List<Incoming<M>> messages, OutcomeSink sink);
  }

  /** The messages of one submission. */
  private static final class Window<M> {
    private final List<OffsetTracker.Slot<M>> slots;
    private final Set<OffsetTracker<M>> trackers = new LinkedHashSet<>();
    private int open;

    Window(List<OffsetTracker.Slot<M>> slots) {
      this.slots = slots;
      slots.forEach(slot -> trackers.add(slot.tracker()));
      this.open = slots.size();
    }
  }

  private record Completion<M>(Window<M> window, int index, Outcome outcome) {
    OffsetTracker.Slot<M> slot() {
      return window.slots.get(index);
    }
  }

  private final Submitter<M> receiver;
  private final Consumer<String> restart;
  private final ToLongFunction<M> sentAt;
  private final LongSupplier nanos;
  private final BlockingQueue<Completion<M>> completions = new LinkedBlockingQueue<>();

  /** The windows in flight of each partition. */
  private final Map<OffsetTracker<M>, Map<Window<M>, Submission>> windows = new HashMap<>();

  /**
   * Creates the windows of one poll loop, whose partitions may have several in flight.
   *
   * @param lanes takes the messages
   * @param sentAt reads when a message was sent, in the broker's milliseconds since 1970; 0 or less
   *     if the broker does not know it
   * @param nanos the monotonic clock, in nanoseconds
   */
  public InFlightWindows(LaneGroup<M> lanes, ToLongFunction<M> sentAt, LongSupplier nanos) {
    this(lanes::submit, lanes::restart, sentAt, nanos);
  }

  /**
   * Creates the windows of one poll loop, whose partitions have one in flight each.
   *
   * @param receiver takes the messages, for example {@code receiver::submit}
   * @param sentAt reads when a message was sent, in the broker's milliseconds since 1970; 0 or less
   *     if the broker does not know it
   * @param nanos the monotonic clock, in nanoseconds
   */
  public InFlightWindows(Submitter<M> receiver, ToLongFunction<M> sentAt, LongSupplier nanos) {
    this(receiver, lane -> {}, sentAt, nanos);
  }

  private InFlightWindows(
      Submitter<M> receiver,
      Consumer<String> restart,
      ToLongFunction<M> sentAt,
      LongSupplier nanos) {
    this.receiver = receiver;
    this.restart = restart;
    this.sentAt = sentAt;
    this.nanos = nanos;
  }

  /**
   * Submits the next window of each of these partitions. Windows of several partitions share a
   * submission until it holds one window, so that the number of calls to the store does not grow
   * with the number of partitions.
   *
   * @param ready partitions that are {@link OffsetTracker#ready}; not empty
   * @param window the most messages of a partition, and of a submission of several partitions
   * @throws io.hapax.errors.ReceiverClosedException if the receiver is closed. The messages stay
   *     unfinished, and no outcome of them is waited for
   */
  public void submit(List<OffsetTracker<M>> ready, int window) {
    List<OffsetTracker.Slot<M>> slots = new ArrayList<>();
    for (OffsetTracker<M> tracker : ready) {
      if (tracker.stopped()) {
        restart.accept(tracker.partition());
      }
      List<OffsetTracker.Slot<M>> next = tracker.take(window, nanos.getAsLong());
      if (!slots.isEmpty() && slots.size() + next.size() > window) {
        submit(slots);
        slots = new ArrayList<>();
      }
      slots.addAll(next);
    }
    submit(slots);
  }

  private void submit(List<OffsetTracker.Slot<M>> slots) {
    List<Incoming<M>> messages = slots.stream().map(this::incoming).toList();
    Window<M> window = new Window<>(slots);
    Submission submission = receiver.submit(
        messages, (index, outcome) -> completions.add(new Completion<>(window, index, outcome)));
    for (OffsetTracker<M> tracker : window.trackers) { // only now: the receiver may refuse it
      windows.computeIfAbsent(tracker, it -> new LinkedHashMap<>()).put(window, submission);
    }
  }

  private Incoming<M> incoming(OffsetTracker.Slot<M> slot) {
    OffsetTracker<M> tracker = slot.tracker();
    return new Incoming<>(
        slot.message(),
        tracker.partition(),
        slot.coordinates(),
        tracker.probation(),
        Incoming.sentAt(sentAt.applyAsLong(slot.message())));
  }

  /**
   * Applies the outcomes that have arrived.
   *
   * @return how many there were
   */
  public int applyOutcomes() {
    int applied = 0;
    for (Completion<M> next = completions.poll(); next != null; next = completions.poll()) {
      apply(next);
      applied++;
    }
    return applied;
  }

  private void apply(Completion<M> completion) {
    OffsetTracker.Slot<M> slot = completion.slot();
    slot.tracker().resolved(slot, completion.outcome(), nanos.getAsLong());
    Window<M> window = completion.window();
    window.open--;
    if (window.open == 0) {
      for (OffsetTracker<M> tracker : window.trackers) {
        windows.computeIfPresent(tracker, (it, mine) -> without(mine, window));
      }
    }
  }

  private static <M> @Nullable Map<Window<M>, Submission> without(
      Map<Window<M>, Submission> windows, Window<M> window) {
    windows.remove(window);
    return windows.isEmpty() ? null : windows;
  }

  /**
   * Waits for an outcome and applies it. Returns early if the thread is interrupted, and leaves the
   * interrupt status set.
   *
   * @param timeout the longest wait
   */
  public void awaitOutcome(Duration timeout) {
    Completion<M> next = poll(timeout.toNanos());
    if (next != null) {
      apply(next);
    }
  }

  /** Returns null also after an interrupt, whose status is kept. */
  private @Nullable Completion<M> poll(long timeoutNanos) {
    try {
      return completions.poll(timeoutNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /**
   * Gives up what has not started of these partitions. Messages of other partitions that share
   * their submission are deferred, too, and submitted again later.
   *
   * @param trackers the partitions
   */
  public void abandon(Collection<OffsetTracker<M>> trackers) {
    for (OffsetTracker<M> tracker : trackers) {
      windows.getOrDefault(tracker, Map.of()).values().forEach(Submission::abandon);
    }
  }

  /**
   * Applies outcomes until none of these partitions has messages in flight.
   *
   * @param trackers the partitions
   * @param timeout the longest wait
   * @return false if the time has passed before, or the thread was interrupted, whose status is
   *     kept
   */
  public boolean drain(Collection<OffsetTracker<M>> trackers, Duration timeout) {
    long end = nanos.getAsLong() + TimeUnit.NANOSECONDS.convert(timeout);
    while (trackers.stream().anyMatch(this::expectsOutcomes)) {
      Completion<M> next = poll(Math.max(0, end - nanos.getAsLong()));
      if (next == null) {
        return false;
      }
      apply(next);
    }
    return true;
  }

  private boolean expectsOutcomes(OffsetTracker<M> tracker) {
    return tracker.underway() && windows.containsKey(tracker);
  }

  /**
   * Forgets partitions whose assignment has ended. Outcomes that still arrive change only their
   * trackers.
   *
   * @param trackers the partitions
   */
  public void forget(Collection<OffsetTracker<M>> trackers) {
    for (OffsetTracker<M> tracker : trackers) {
      windows.remove(tracker);
      restart.accept(tracker.partition());
    }
  }
}
