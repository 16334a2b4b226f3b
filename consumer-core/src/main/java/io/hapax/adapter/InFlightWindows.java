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
import java.util.concurrent.atomic.AtomicInteger;
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

  private static final class Window<M> {
    private final List<PolledMessage<M>> polled;
    private final Set<OffsetTracker<M>> trackers = new LinkedHashSet<>();
    private int open;

    /** How many outcomes the partition of each message misses, as their senders count. */
    private final List<AtomicInteger> missing;

    Window(List<PolledMessage<M>> polled) {
      this.polled = polled;
      this.open = polled.size();
      this.missing = new ArrayList<>(polled.size());
      OffsetTracker<M> latest = polled.get(0).tracker();
      AtomicInteger count = new AtomicInteger();
      trackers.add(latest);
      for (PolledMessage<M> message : polled) {
        if (message.tracker() != latest) { // the messages of a partition are together
          latest = message.tracker();
          count = new AtomicInteger();
          trackers.add(latest);
        }
        count.incrementAndGet();
        missing.add(count);
      }
    }

    /** Counts an outcome; returns whether it is the last one of its partition. */
    boolean isLast(int index) {
      return missing.get(index).decrementAndGet() == 0;
    }
  }

  /** An outcome that has arrived, of one message of a window. */
  private record Completion<M>(Window<M> window, int index, Outcome outcome) {}

  private final ReceiverPort.LaneGroup<M> lanes;
  private final ToLongFunction<M> sentAt;
  private final LongSupplier nanos;
  private final BlockingQueue<Completion<M>> completions = new LinkedBlockingQueue<>();

  private final Map<OffsetTracker<M>, Map<Window<M>, Submission>> windows = new HashMap<>();

  /** Wakes the poll thread; null while it does not wait. */
  private volatile @Nullable Runnable wakeUp;

  /**
   * Creates the windows of one poll loop.
   *
   * @param lanes takes the messages
   * @param sentAt reads when a message was sent, in the broker's milliseconds since 1970; 0 or less
   *     if the broker does not know it
   * @param nanos the monotonic clock, in nanoseconds
   */
  public InFlightWindows(
      ReceiverPort.LaneGroup<M> lanes, ToLongFunction<M> sentAt, LongSupplier nanos) {
    this.lanes = lanes;
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
   * @throws io.hapax.errors.ReceiverClosedException if the receiver is closed or has failed. The
   *     messages stay unfinished, and no outcome of them is waited for
   */
  public void submit(List<OffsetTracker<M>> ready, int window) {
    List<PolledMessage<M>> polled = new ArrayList<>();
    for (OffsetTracker<M> tracker : ready) {
      List<PolledMessage<M>> next = tracker.take(window, nanos.getAsLong(), lanes::restart);
      if (!polled.isEmpty() && polled.size() + next.size() > window) {
        submit(polled);
        polled = new ArrayList<>();
      }
      polled.addAll(next);
    }
    if (!polled.isEmpty()) {
      submit(polled);
    }
  }

  private void submit(List<PolledMessage<M>> polled) {
    List<Incoming<M>> messages = polled.stream().map(this::incoming).toList();
    Window<M> window = new Window<>(polled);
    Submission submission =
        lanes.submit(messages, (index, outcome) -> complete(window, index, outcome));
    for (OffsetTracker<M> tracker : window.trackers) { // only now: the receiver may refuse it
      windows.computeIfAbsent(tracker, it -> new LinkedHashMap<>()).put(window, submission);
    }
  }

  /** Runs on any thread. */
  private void complete(Window<M> window, int index, Outcome outcome) {
    completions.add(new Completion<>(window, index, outcome));
    Runnable wake = wakeUp;
    if (window.isLast(index) && wake != null) {
      wake.run();
    }
  }

  /**
   * Begins a wait of the poll thread for the broker. Until {@link #endWait}, an outcome after which
   * no message of its window and partition is in flight wakes it. Others make room for nothing.
   *
   * @param wake wakes the poll thread; may be called by any thread, more than once, and still
   *     shortly after the end of the wait
   * @return whether there is a reason to wait: false if outcomes have arrived
   */
  public boolean beginWait(Runnable wake) {
    wakeUp = wake;
    return completions.isEmpty();
  }

  /** Ends the wait of the poll thread. Does nothing if there is none. */
  public void endWait() {
    wakeUp = null;
  }

  private Incoming<M> incoming(PolledMessage<M> message) {
    OffsetTracker<M> tracker = message.tracker();
    return new Incoming<>(
        message.handout(),
        message.lane().name(),
        tracker.inOrder(),
        message.coordinates(),
        tracker.probation(),
        Incoming.sentAt(sentAt.applyAsLong(message.message())));
  }

  /** {@return how many outcomes had arrived, all of which are now applied} */
  public int applyOutcomes() {
    int applied = 0;
    for (Completion<M> next = completions.poll(); next != null; next = completions.poll()) {
      apply(next);
      applied++;
    }
    return applied;
  }

  private void apply(Completion<M> completion) {
    Window<M> window = completion.window();
    PolledMessage<M> message = window.polled.get(completion.index());
    message.tracker().resolved(message, completion.outcome(), nanos.getAsLong());
    if (message.tracker().ended(message)) {
      lanes.restart(message.lane().name());
    }
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
   * Waits for an outcome and applies it. An interrupt ends the wait early and its status stays set.
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
   * @return false if the time has passed, or the thread was interrupted, whose status is kept
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
   * Forgets partitions whose assignment has ended. Later outcomes change only their trackers.
   *
   * @param trackers the partitions
   */
  public void forget(Collection<OffsetTracker<M>> trackers) {
    for (OffsetTracker<M> tracker : trackers) {
      windows.remove(tracker);
      tracker.drop().forEach(lanes::restart);
    }
  }

  /**
   * Ends the lanes, as {@link ReceiverPort.LaneGroup#close} does: nothing is submitted any more.
   */
  public void close() {
    lanes.close();
  }
}
