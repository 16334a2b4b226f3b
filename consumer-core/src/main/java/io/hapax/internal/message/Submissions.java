package io.hapax.internal.message;

import io.hapax.internal.runtime.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Keeps the submissions in flight, and takes new ones until the receiver is closed. */
public final class Submissions<M> {

  /** In the order of submission, so that runs of a simulation are repeatable. */
  private final Queue<ActiveSubmission<M>> open = new ConcurrentLinkedQueue<>();

  private final Ticker ticker;
  private boolean closed;

  public Submissions(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Adds a submission. Returns false once closed, so that {@link #close} has returned all
   * submissions that are started.
   */
  public synchronized boolean add(ActiveSubmission<M> submission) {
    if (!closed && !submission.over()) { // an empty one is over
      open.add(submission);
    }
    return !closed;
  }

  public void ended(ActiveSubmission<M> submission) {
    open.remove(submission);
  }

  public Optional<Duration> oldest() {
    long now = ticker.nanos();
    return open.stream().map(submission -> submission.age(now)).max(Comparator.naturalOrder());
  }

  public List<ActiveSubmission<M>> open() {
    return List.copyOf(open);
  }

  public List<InFlightMessage<M>> messages() {
    return open.stream().flatMap(submission -> submission.messages().stream()).toList();
  }

  public synchronized List<ActiveSubmission<M>> close() {
    closed = true;
    return List.copyOf(open);
  }

  /**
   * Waits until all messages of the submissions are finished; returns true if an interrupt of the
   * caller ended the wait. The limit counts from now, or from the time at which a submission was
   * abandoned.
   */
  public boolean await(List<ActiveSubmission<M>> submissions, Duration atMost) {
    long limit = TimeUnit.NANOSECONDS.convert(atMost);
    long[] ends = submissions.stream()
        .mapToLong(submission -> submission.drainingSince() + limit)
        .toArray();
    try {
      for (int i = 0; i < ends.length; i++) {
        submissions.get(i).awaitEnd(Math.max(0, ends[i] - ticker.nanos()));
      }
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
