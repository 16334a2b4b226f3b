package io.hapax.adapter;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers at which deferred message a partition has stopped, and until when. For the poll thread.
 */
final class Deferral<M> {

  private static final Duration LONGEST = Duration.ofDays(365);

  /** The lowest deferred message of the present window. */
  private @Nullable PolledMessage<M> blocker;

  private long dueNanos;

  /** The latest blocker that is not finished, for health: it stays while it is tried again. */
  private @Nullable PolledMessage<M> waitingFor;

  private Outcome.@Nullable Deferred waitingBecause;

  /** Applies a deferral. The lowest deferred message decides about the wait. */
  void deferred(PolledMessage<M> message, Outcome.Deferred outcome, long nowNanos) {
    if (blocker == null || message.offset() < blocker.offset()) {
      Duration wait = outcome.after().compareTo(LONGEST) > 0 ? LONGEST : outcome.after();
      dueNanos = nowNanos + Math.max(0, wait.toNanos());
      blocker = message;
      waitingFor = message;
      waitingBecause = outcome;
    }
  }

  /** Ends the stop, because the deferred message is taken again. */
  void restart() {
    blocker = null;
  }

  /** Forgets a message that is finished or does not exist any more. */
  void finished(PolledMessage<M> message) {
    if (message == blocker) {
      blocker = null;
    }
    if (message == waitingFor) {
      waitingFor = null;
      waitingBecause = null;
    }
  }

  /** Returns whether a message was deferred and not taken again. */
  boolean stopped() {
    return blocker != null;
  }

  /** Returns what is left of the wait, or zero. */
  Duration remaining(long nowNanos) {
    return blocker == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, dueNanos - nowNanos));
  }

  /** Returns which message the partition waits for. */
  Optional<Problems.Found> problem() {
    if (waitingFor == null || waitingBecause == null) {
      return Optional.empty();
    }
    String detail = waitingBecause.detail();
    String text = waitingBecause.reason() + (detail.isEmpty() ? "" : ": " + detail);
    return Optional.of(found(Problem.Kind.PARTITION_WAITING, waitingFor, text));
  }

  static Problems.Found found(Problem.Kind kind, PolledMessage<?> message, String text) {
    String subject = message.coordinates();
    return new Problems.Found(kind, subject, subject + ": " + text);
  }
}
