package io.hapax.adapter;

import java.time.Duration;

/**
 * The messages of one partition that run one after the other. Belongs to the poll thread. Times are
 * nanoseconds of the monotonic clock.
 */
final class TrackedLane<M> {

  private final Object key;
  private final String name;
  private final Deferral<M> deferral = new Deferral<>();
  private int unfinished;
  private int underway;
  private long movedNanos;

  TrackedLane(Object key, String name) {
    this.key = key;
    this.name = name;
  }

  /** Returns what its messages have in common. */
  Object key() {
    return key;
  }

  /** Returns its name, which no other lane of the receiver has. */
  String name() {
    return name;
  }

  Deferral<M> deferral() {
    return deferral;
  }

  void polled() {
    unfinished++;
  }

  void finished(PolledMessage<M> message) {
    unfinished--;
    deferral.finished(message);
  }

  void taken(long nowNanos) {
    underway++;
    movedNanos = nowNanos;
  }

  void resolved(long nowNanos) {
    underway--;
    movedNanos = nowNanos;
  }

  /** Returns whether it has neither messages to run nor messages in flight. */
  boolean idle() {
    return unfinished <= 0 && underway <= 0;
  }

  boolean inFlight() {
    return underway > 0;
  }

  /**
   * Returns whether its next message can be submitted: none was deferred, or the deferred one comes
   * next and its wait has passed.
   */
  boolean ready(long nowNanos) {
    return !deferral.stopped() || (underway == 0 && deferral.remaining(nowNanos).isZero());
  }

  /** Returns whether messages are in flight and no outcome of them has arrived for too long. */
  boolean silent(long nowNanos, Duration limit) {
    return underway > 0 && nowNanos - movedNanos > limit.toNanos();
  }
}
