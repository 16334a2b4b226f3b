package io.hapax.internal;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The submissions under way; it takes new ones until the receiver is closed. */
final class Submissions<M> {

  /** In the order handed in, so that two runs of a simulation renew in the same one. */
  private final Queue<Batch<M>> open = new ConcurrentLinkedQueue<>();

  private final Ticker ticker;
  private boolean closed;

  Submissions(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Takes one up and starts it; false once closed: what {@link #close} does not see is refused. */
  synchronized boolean take(Batch<M> batch, Runnable start) {
    if (!closed && !batch.over()) {
      open.add(batch);
      boolean started = false;
      try {
        start.run();
        started = true;
      } finally {
        if (!started) {
          open.remove(batch);
        }
      }
    }
    return !closed;
  }

  void ended(Batch<M> batch) {
    open.remove(batch);
  }

  /** How long ago the oldest was handed in; empty if there is none. */
  Optional<Duration> oldest() {
    long now = ticker.nanos();
    return open.stream().map(batch -> batch.age(now)).max(Comparator.naturalOrder());
  }

  List<Batch<M>> open() {
    return List.copyOf(open);
  }

  List<Item<M>> items() {
    return open.stream().flatMap(batch -> batch.items().stream()).toList();
  }

  /** Takes nothing more, and tells what is still under way. */
  synchronized List<Batch<M>> close() {
    closed = true;
    return List.copyOf(open);
  }

  /**
   * Waits until the submissions have all of their outcomes. The limit counts from now, or for a
   * submission that was abandoned before, from then.
   *
   * @return true if the caller was interrupted, which ends the wait
   */
  boolean await(List<Batch<M>> batches, Duration atMost) {
    long limit = TimeUnit.NANOSECONDS.convert(atMost);
    long[] ends =
        batches.stream().mapToLong(batch -> batch.drainingSince() + limit).toArray();
    try {
      for (int i = 0; i < ends.length; i++) {
        batches.get(i).await(Duration.ofNanos(Math.max(0, ends[i] - ticker.nanos())));
      }
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
