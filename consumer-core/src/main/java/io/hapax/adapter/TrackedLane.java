package io.hapax.adapter;

import io.hapax.health.Problem;
import io.hapax.health.Problems;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one partition that run one after the other, and the deferred message at which
 * they have stopped. Belongs to the poll thread. Times are nanoseconds of the monotonic clock.
 */
final class TrackedLane<M> {

  private final Object key;
  private final String name;
  private int unfinished;
  private int underway;
  private long movedNanos;

  /** The lowest deferred message of the present window. */
  private @Nullable PolledMessage<M> blocker;

  private long dueNanos;

  /** The latest blocker that is not finished, for health: it stays while it is tried again. */
  private @Nullable PolledMessage<M> waitingFor;

  private Outcome.@Nullable Deferred waitingBecause;

  TrackedLane(Object key, String name) {
    this.key = key;
    this.name = name;
  }

  Object key() {
    return key;
  }

  /** Returns its name, which no other lane of the receiver has. */
  String name() {
    return name;
  }

  void polled() {
    unfinished++;
  }

  /** Forgets a message that is finished or does not exist any more. */
  void finished(PolledMessage<M> message) {
    unfinished--;
    if (message == blocker) {
      blocker = null;
    }
    if (message == waitingFor) {
      waitingFor = null;
      waitingBecause = null;
    }
  }

  void taken(long nowNanos) {
    underway++;
    movedNanos = nowNanos;
  }

  void resolved(long nowNanos) {
    underway--;
    movedNanos = nowNanos;
  }

  /** Applies a deferral. The lowest deferred message decides about the wait. */
  void deferred(PolledMessage<M> message, Outcome.Deferred outcome, long nowNanos) {
    if (blocker == null || message.offset() < blocker.offset()) {
      dueNanos = outcome.dueNanos(nowNanos);
      blocker = message;
      waitingFor = message;
      waitingBecause = outcome;
    }
  }

  /** Ends the stop, because the deferred message is taken again. */
  void restart() {
    blocker = null;
  }

  /** Returns whether a message was deferred and not taken again. */
  boolean stopped() {
    return blocker != null;
  }

  Duration remaining(long nowNanos) {
    return blocker == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, dueNanos - nowNanos));
  }

  /** Returns whether it has neither messages to run nor messages in flight. */
  boolean idle() {
    return unfinished <= 0 && underway <= 0;
  }

  boolean inFlight() {
    return underway > 0;
  }

  /** Returns whether its next message can be submitted: it did not stop, or its wait has passed. */
  boolean ready(long nowNanos) {
    return !stopped() || (underway == 0 && remaining(nowNanos).isZero());
  }

  /** Returns whether messages are in flight and no outcome of them has arrived for too long. */
  boolean silent(long nowNanos, Duration limit) {
    return underway > 0 && nowNanos - movedNanos > limit.toNanos();
  }

  /** Returns which message the lane waits for. */
  Optional<Problems.Found> problem() {
    if (waitingFor == null || waitingBecause == null) {
      return Optional.empty();
    }
    return Optional.of(found(Problem.Kind.PARTITION_WAITING, waitingFor, waitingBecause.toText()));
  }

  static Problems.Found found(Problem.Kind kind, PolledMessage<?> message, String text) {
    String subject = message.coordinates();
    return new Problems.Found(kind, subject, subject + ": " + text);
  }
}
