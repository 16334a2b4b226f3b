package io.hapax.internal.message;

import io.hapax.internal.runtime.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The submissions under way; it takes new ones until the receiver is closed. */
public final class Submissions<M> {

  /** In the order handed in, so that two runs of a simulation renew in the same one. */
  private final Queue<ActiveSubmission<M>> open = new ConcurrentLinkedQueue<>();

  private final Ticker ticker;
  private boolean closed;

  public Submissions(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Takes one up and starts it; false once closed: what {@link #close} does not see is refused. */
  public synchronized boolean take(ActiveSubmission<M> batch, Runnable start) {
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

  public void ended(ActiveSubmission<M> batch) {
    open.remove(batch);
  }

  /** How long ago the oldest was handed in; empty if there is none. */
  public Optional<Duration> oldest() {
    long now = ticker.nanos();
    return open.stream().map(batch -> batch.age(now)).max(Comparator.naturalOrder());
  }

  public List<ActiveSubmission<M>> open() {
    return List.copyOf(open);
  }

  public List<InFlightMessage<M>> items() {
    return open.stream().flatMap(batch -> batch.items().stream()).toList();
  }

  /** Takes nothing more, and tells what is still under way. */
  public synchronized List<ActiveSubmission<M>> close() {
    closed = true;
    return List.copyOf(open);
  }

  /**
   * Waits until the submissions have all of their outcomes. The limit counts from now, or for a
   * submission that was abandoned before, from then.
   *
   * @return true if the caller was interrupted, which ends the wait
   */
  public boolean await(List<ActiveSubmission<M>> batches, Duration atMost) {
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
