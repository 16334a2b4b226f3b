package io.hapax.internal.message;

import io.hapax.adapter.Outcome.Deferred;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the order of the parts of one lane: each submission appends one, and a part has its turn
 * once the parts before it have passed. When a part stops the lane, all parts behind it are given
 * up, and so are those that are appended later.
 */
public final class OpenLane {

  /** The messages of one submission in one lane. */
  public interface Part {

    /**
     * Runs the part, if it is ready and its turn has come. Called once or more; returns at once.
     */
    void turn();

    /** Gives up its messages: the lane has stopped before them. Called once or more. */
    void giveUp(Deferred because);
  }

  /** Small, because most lanes have one part. */
  private final Deque<Part> parts = new ArrayDeque<>(1);

  private @Nullable Deferred stop;

  public void append(Part part) {
    Deferred stopped = add(part);
    if (stopped != null) {
      part.giveUp(stopped);
    } else {
      part.turn();
    }
  }

  private synchronized @Nullable Deferred add(Part part) {
    if (stop == null) {
      parts.add(part);
    }
    return stop;
  }

  /** Returns whether all parts before this one have passed. */
  public synchronized boolean isTurnOf(Part part) {
    return parts.peek() == part;
  }

  /** Ends a part whose turn it is: the next has its turn. Repeated calls do nothing. */
  public void passed(Part part) {
    Part next = remove(part);
    if (next != null) {
      next.turn();
    }
  }

  /** Returns the first part after that, also if this one was removed before. */
  private synchronized @Nullable Part remove(Part part) {
    if (parts.peek() == part) {
      parts.remove();
    }
    return parts.peek();
  }

  /**
   * Stops the lane behind a part, whose turn may not have come yet. A part that has passed stops
   * nothing.
   */
  public void stopped(Part part, Deferred because) {
    stop(part, because).forEach(behind -> behind.giveUp(because));
  }

  /** Stops the lane behind all parts that it has, for messages that never became a part. */
  public synchronized void stopAtEnd(Deferred because) {
    stop = because;
  }

  /** Removes the parts behind that one, and returns them in their order. */
  private synchronized Deque<Part> stop(Part part, Deferred because) {
    Deque<Part> behind = new ArrayDeque<>();
    if (parts.contains(part)) {
      stop = because;
      while (parts.peekLast() != part) {
        behind.addFirst(parts.removeLast());
      }
    }
    return behind;
  }
}
