package io.hapax.internal.run;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * Who may go now and who waits: so many at once, the others in the order in which they came. Nobody
 * waits while all who have a turn hang, because none of those may ever end it.
 */
final class Bulkhead<T> {

  /** What one who came is to do. */
  enum Place {
    /** Go: its turn is now, and it ends it. */
    TURN,
    /** Nothing: its turn comes, or it is sent away. */
    WAITS,
    /** Leave: all who have a turn hang. */
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

  /** One who has a turn hangs until it ends it. Returns who is sent away for it. */
  synchronized List<T> hangs() {
    hanging++;
    if (hanging < atOnce) {
      return List.of();
    }
    List<T> sentAway = List.copyOf(waiting);
    waiting.clear();
    return sentAway;
  }

  /** Ends a turn. Returns whose turn is now. */
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
