package io.hapax.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Sends claims to the store in groups: courses that came in while the previous calls were under way
 * go together with the next. One whose claims have failed goes by itself from then on, so that a
 * claim that the store will never take does not hold the others back.
 */
final class ClaimCalls<M> {

  private static final int LARGEST_GROUP = 500;

  /** Two, so that one that takes long, or hangs, is not in the way of all. */
  private static final int CALLS_AT_ONCE = 2;

  private final Engine<M> engine;

  /** What goes with the next call. The lock of this guards it and what follows. */
  private final Queue<ClaimCourse<M>> queue = new ArrayDeque<>();

  private int calls;

  ClaimCalls(Engine<M> engine) {
    this.engine = engine;
  }

  /** Sends what the course asks for, now or with the next call that is free. */
  void send(ClaimCourse<M> course) {
    if (course.tried()) {
      send(List.of(course));
    } else if (hasCallFor(course)) {
      drain();
    }
  }

  /** Takes a course in; true if there is a free call, which is the caller's to make. */
  private synchronized boolean hasCallFor(ClaimCourse<M> course) {
    queue.add(course);
    boolean free = calls < CALLS_AT_ONCE;
    calls += free ? 1 : 0;
    return free;
  }

  private void drain() {
    boolean over = false;
    try {
      for (List<ClaimCourse<M>> group = next(); !group.isEmpty(); group = next()) {
        sendOrTell(group);
      }
      over = true;
    } finally {
      if (!over) {
        free();
      }
    }
  }

  /** What nobody foresaw, as want of memory, costs the messages of the group and no others. */
  private void sendOrTell(List<ClaimCourse<M>> group) {
    try {
      send(group);
    } catch (RuntimeException | Error e) {
      group.forEach(course -> course.broke(e));
    }
  }

  private synchronized void free() {
    calls--;
  }

  /** What goes now; if that is nothing, the call is free again. */
  private synchronized List<ClaimCourse<M>> next() {
    List<ClaimCourse<M>> group = new ArrayList<>();
    int size = 0;
    while (!queue.isEmpty() && (group.isEmpty() || size + queue.peek().size() <= LARGEST_GROUP)) {
      ClaimCourse<M> course = queue.remove();
      size += course.size();
      group.add(course);
    }
    calls -= group.isEmpty() ? 1 : 0;
    return group;
  }

  private void send(List<ClaimCourse<M>> courses) {
    List<ClaimCourse<M>> group = new ArrayList<>(courses.size());
    courses.forEach(course -> course.guarded(() -> course.joinIfWanted(group)));
    if (!group.isEmpty()) {
      long sent = engine.nanos();
      Asked<M> asked = ask(group.stream().flatMap(ClaimCourse::items).toList(), sent);
      group.forEach(course -> course.guarded(() -> course.goOn(asked, sent)));
    }
  }

  private Asked<M> ask(List<Item<M>> items, long sent) {
    try {
      return engine.claimer().ask(items);
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("claim", e);
      engine.outage().failed(sent);
      return Asked.inVain(items);
    }
  }
}
