package io.hapax.adapter;

import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Queues the outcomes of submitted messages, in the order of their arrival. Each message has a slot
 * before it is submitted. So an outcome is added without an allocation, and is not lost while
 * memory is used up. Any thread may add outcomes; one thread takes them.
 */
final class OutcomeQueue<W> {

  /** The place of one message's outcome, in one queue at most. */
  static final class Slot<W> {
    private final W window;
    private final int index;
    private @Nullable Outcome outcome;
    private @Nullable Slot<W> next;

    Slot(W window, int index) {
      this.window = window;
      this.index = index;
    }

    W window() {
      return window;
    }

    /** The position of the message in its window. */
    int index() {
      return index;
    }

    /** The outcome; only for a slot that was taken from the queue. */
    Outcome outcome() {
      return Objects.requireNonNull(outcome, "outcome");
    }
  }

  /** Has a permit for each outcome in the queue. Unlike a lock, its release allocates nothing. */
  private final Semaphore arrived = new Semaphore(0);

  private @Nullable Slot<W> first;
  private @Nullable Slot<W> last;

  /** Adds an outcome; returns false if the message had one before, which remains. */
  boolean add(Slot<W> slot, Outcome outcome) {
    boolean added = append(slot, outcome);
    if (added) {
      arrived.release();
    }
    return added;
  }

  private synchronized boolean append(Slot<W> slot, Outcome outcome) {
    if (slot.outcome != null) {
      return false;
    }
    slot.outcome = outcome;
    if (last == null) {
      first = slot;
    } else {
      last.next = slot;
    }
    last = slot;
    return true;
  }

  boolean isEmpty() {
    return arrived.availablePermits() == 0;
  }

  /** Takes the first outcome; returns null if there is none. */
  @Nullable
  Slot<W> poll() {
    return arrived.tryAcquire() ? removeFirst() : null;
  }

  /** Waits for an outcome and takes it; returns null if none has arrived in time. */
  @Nullable
  Slot<W> poll(long timeoutNanos) throws InterruptedException {
    return arrived.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS) ? removeFirst() : null;
  }

  private synchronized Slot<W> removeFirst() {
    Slot<W> taken = Objects.requireNonNull(first, "first");
    first = taken.next;
    taken.next = null; // a window with a hanging message must not keep all later ones in memory
    if (first == null) {
      last = null;
    }
    return taken;
  }
}
