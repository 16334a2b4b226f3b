package io.hapax.internal.message;

import io.hapax.adapter.Outcome.Deferred;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the order of the parts of one lane: each submission appends one, and a part has its turn
 * once the parts before it have passed. When a part stops the lane, all parts behind it are given
 * up, and so are those that are appended later.
 */
public final class OpenLane {

  /** The messages of one submission in one lane. */
  public abstract static class Part {

    /** Guarded by the lane. */
    private @Nullable Part next;

    /**
     * Runs the part, if it is ready and its turn has come. Called once or more; returns at once.
     */
    public abstract void turn();

    /** Gives up its messages: the lane has stopped before them. Called once or more. */
    public abstract void giveUp(Deferred because);
  }

  private @Nullable Part first;
  private @Nullable Part last;
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
    if (stop != null) {
      return stop;
    }
    if (last == null) {
      first = part;
    } else {
      last.next = part;
    }
    last = part;
    return null;
  }

  /** Returns whether all parts before this one have passed. */
  public synchronized boolean isTurnOf(Part part) {
    return first == part;
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
    if (first == part) {
      first = part.next;
      if (first == null) {
        last = null;
      }
    }
    return first;
  }

  /**
   * Stops the lane behind a part, whose turn may not have come yet. A part that has passed stops
   * nothing.
   */
  public void stopped(Part part, Deferred because) {
    for (Part behind = stop(part, because); behind != null; behind = removeBehind(part)) {
      behind.giveUp(because);
    }
  }

  /** Stops the lane behind all parts that it has, for messages that never became a part. */
  public synchronized void stopAtEnd(Deferred because) {
    stop = because;
  }

  private synchronized @Nullable Part stop(Part part, Deferred because) {
    Part found = first;
    while (found != null && found != part) {
      found = found.next;
    }
    if (found == null) {
      return null;
    }
    stop = because;
    return part.next;
  }

  private synchronized @Nullable Part removeBehind(Part part) {
    Part given = part.next;
    part.next = given == null ? null : given.next;
    if (part.next == null) {
      last = part;
    }
    return part.next;
  }
}
