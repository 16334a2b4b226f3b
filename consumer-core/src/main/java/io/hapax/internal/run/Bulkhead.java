package io.hapax.internal.run;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * Limits the number of concurrent calls; the others wait in the order of arrival. While all calls
 * hang, others are rejected instead of waiting, because a hanging call may never end.
 */
final class Bulkhead<T> {

  /** The place of a call that has arrived. */
  enum Place {
    /** It starts now, and its caller reports the end. */
    TURN,
    /** It waits until it is started or rejected. */
    WAITS,
    /** It is rejected, because all running calls hang. */
    SENT_AWAY
  }

  private final int atOnce;
  private final Queue<T> waiting = new ArrayDeque<>();
  private int taken;
  private int hanging;

  Bulkhead(int atOnce) {
    this.atOnce = atOnce;
  }

  synchronized Place come(T one) {
    if (taken < atOnce) {
      taken++;
      return Place.TURN;
    }
    if (hanging == atOnce) {
      return Place.SENT_AWAY;
    }
    waiting.add(one);
    return Place.WAITS;
  }

  /** Records that a running call hangs; returns the waiting calls that are rejected for it. */
  synchronized List<T> hangs() {
    hanging++;
    if (hanging < atOnce) {
      return List.of();
    }
    List<T> sentAway = List.copyOf(waiting);
    waiting.clear();
    return sentAway;
  }

  /** Records the end of a call; returns the call that starts now. */
  synchronized Optional<T> end(boolean hung) {
    if (hung) {
      hanging--;
    }
    Optional<T> next = Optional.ofNullable(waiting.poll());
    if (next.isEmpty()) {
      taken--;
    }
    return next;
  }
}
