package io.hapax.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

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
    if (course.tried() || engine.outage().over()) {
      send(List.of(course));
    } else if (hasCallFor(course)) {
      callOnce();
    }
  }

  /**
   * The same on another thread, for a course that is sent for the first time: whoever hands
   * messages in does not wait for the store.
   */
  void sendElsewhere(ClaimCourse<M> course) {
    if (engine.outage().over()) {
      engine.threads().call(() -> send(List.of(course)));
    } else if (hasCallFor(course)) {
      engine.threads().call(this::callAll);
    }
  }

  /** Nobody waits for the store any more: what waits for a call, which may hang, needs none. */
  void needNoCall() {
    waiting().forEach(course -> engine.threads().call(() -> send(List.of(course))));
  }

  private synchronized List<ClaimCourse<M>> waiting() {
    List<ClaimCourse<M>> waiting = List.copyOf(queue);
    queue.clear();
    return waiting;
  }

  /** Takes a course in; true if there is a free call, which is the caller's to make. */
  private synchronized boolean hasCallFor(ClaimCourse<M> course) {
    queue.add(course);
    boolean free = calls < CALLS_AT_ONCE;
    calls += free ? 1 : 0;
    return free;
  }

  /**
   * Makes one call. Those after it are another task's: whoever came with its own claims has more to
   * do than to make the calls of all who come after it.
   */
  private void callOnce() {
    try {
      send(next());
    } finally {
      if (isNeeded()) {
        engine.threads().call(this::callAll);
      }
    }
  }

  /** Makes call after call, on one thread: another would have to be woken for each. */
  private void callAll() {
    boolean needed = true;
    while (needed) {
      boolean made = false;
      try {
        send(next());
        made = true;
      } finally {
        needed = isNeeded();
        if (needed && !made) {
          engine.threads().call(this::callAll);
        }
      }
    }
  }

  /** What goes now. */
  private synchronized List<ClaimCourse<M>> next() {
    List<ClaimCourse<M>> group = new ArrayList<>();
    int size = 0;
    while (!queue.isEmpty() && (group.isEmpty() || size + queue.peek().size() <= LARGEST_GROUP)) {
      ClaimCourse<M> course = queue.remove();
      size += course.size();
      group.add(course);
    }
    return group;
  }

  /** Whether something waits for the caller's next call; if not, that is free again. */
  private synchronized boolean isNeeded() {
    boolean needed = !queue.isEmpty();
    calls -= needed ? 0 : 1;
    return needed;
  }

  private void send(List<ClaimCourse<M>> courses) {
    List<ClaimCourse<M>> group = new ArrayList<>(courses.size());
    courses.forEach(course -> course.guarded(() -> course.joinIfWanted(group)));
    if (!group.isEmpty()) {
      Consumer<ClaimCourse<M>> after = call(group);
      group.forEach(course -> course.guarded(() -> after.accept(course)));
    }
  }

  /** Makes the call, and tells what each of the courses does next. */
  private Consumer<ClaimCourse<M>> call(List<ClaimCourse<M>> group) {
    try {
      long sent = engine.nanos();
      Asked<M> asked = ask(itemsOf(group), sent);
      return course -> course.goOn(asked, sent);
    } catch (RuntimeException | Error e) { // as want of memory: it costs the messages of the group
      return course -> course.broke(e);
    }
  }

  /** Most calls are for one course, of a whole poll. */
  private static <M> List<Item<M>> itemsOf(List<ClaimCourse<M>> group) {
    return group.size() == 1
        ? group.get(0).items()
        : group.stream().flatMap(course -> course.items().stream()).toList();
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
