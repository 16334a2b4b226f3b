package io.hapax.internal.message;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Begins with submissions in the order in which they were submitted, although several threads read
 * their messages. So every message waits only for messages that were registered before it, and no
 * two lanes can wait for each other.
 */
public final class SubmissionOrder {

  /** The place of one submission. */
  public static final class Place {
    private @Nullable Runnable work;
  }

  private final Queue<Place> places = new ArrayDeque<>();
  private boolean running;

  public synchronized void add(Place place) {
    places.add(place);
  }

  /**
   * Runs work, which does not throw, when everything before it has run, on this thread or another
   * one. A place runs only the first work that it gets: the second one is of a submission that has
   * all outcomes.
   */
  public void begin(Place place, Runnable work) {
    setIfAbsent(place, work);
    runAll();
  }

  private synchronized void setIfAbsent(Place place, Runnable work) {
    if (place.work == null) {
      place.work = work;
    }
  }

  private void runAll() {
    for (Runnable work = next(); work != null; work = next()) {
      try {
        work.run();
      } finally {
        ended();
      }
    }
  }

  private synchronized @Nullable Runnable next() {
    if (running) {
      return null;
    }
    Place head = places.peek();
    if (head == null || head.work == null) {
      return null;
    }
    places.remove();
    running = true;
    return head.work;
  }

  private synchronized void ended() {
    running = false;
  }
}
