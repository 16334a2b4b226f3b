package io.hapax.internal.run;

import io.hapax.internal.message.InFlightMessage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many messages of open lanes are claimed and have no outcome yet, so that a crash
 * leaves no more behind. The claims of a submission that would exceed the limit wait; those that
 * were submitted first go first. A submission that is larger than the limit is claimed by itself.
 */
final class ClaimLimiter<M> {

  private record Waiting<M>(List<InFlightMessage<M>> messages, Runnable claim) {}

  private final Queue<Waiting<M>> queue = new ArrayDeque<>();
  private final int limit;

  /** Allocated once: it is called for each message. */
  private final Runnable finished = this::finished;

  private int unfinished;

  ClaimLimiter(int limit) {
    this.limit = limit;
  }

  /**
   * Claims messages now, or when earlier ones have their outcomes.
   *
   * @param claim claims them; it neither throws nor waits for the store
   */
  void claim(List<InFlightMessage<M>> messages, Runnable claim) {
    add(new Waiting<>(messages, claim));
    claimWhatFits();
  }

  private synchronized void add(Waiting<M> waiting) {
    queue.add(waiting);
  }

  private void claimWhatFits() {
    for (Waiting<M> next = next(); next != null; next = next()) {
      for (InFlightMessage<M> message : next.messages()) {
        if (!message.whenFinished(finished)) {
          countDown(); // it was given up while it waited
        }
      }
      next.claim().run();
    }
  }

  private synchronized @Nullable Waiting<M> next() {
    Waiting<M> head = queue.peek();
    if (head == null || (unfinished > 0 && unfinished + head.messages().size() > limit)) {
      return null;
    }
    unfinished += head.messages().size();
    return queue.remove();
  }

  private void finished() {
    if (countDown()) {
      claimWhatFits();
    }
  }

  /** Returns whether claims wait. */
  private synchronized boolean countDown() {
    unfinished--;
    return !queue.isEmpty();
  }
}
