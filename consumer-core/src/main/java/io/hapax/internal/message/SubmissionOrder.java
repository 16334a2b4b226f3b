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
    private boolean over;
  }

  private final Queue<Place> places = new ArrayDeque<>();
  private boolean running;

  /** Takes the next place. */
  public synchronized void add(Place place) {
    places.add(place);
  }

  /**
   * Runs work when everything before it has run, on this thread or another one.
   *
   * @param work does not throw
   */
  public void begin(Place place, Runnable work) {
    set(place, work);
    runAll();
  }

  private synchronized void set(Place place, Runnable work) {
    place.work = work;
  }

  /** Gives a place up, unless its work was given: its submission has all outcomes. */
  public void skip(Place place) {
    markOver(place);
    runAll();
  }

  private synchronized void markOver(Place place) {
    place.over = true;
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
    while (head != null && head.over && head.work == null) {
      places.remove();
      head = places.peek();
    }
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
