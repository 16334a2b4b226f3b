package io.hapax.internal.claim;

import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.OutageDetector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Sends claims to the store in groups: courses that came in while the previous calls were under way
 * go together with the next. One whose claims have failed goes by itself from then on, so that a
 * claim that the store will never take does not hold the others back.
 */
public final class ClaimSender<M> {

  private static final int LARGEST_GROUP = 500;

  /** Two, so that one that takes long, or hangs, is not in the way of all. */
  private static final int CALLS_AT_ONCE = 2;

  private final ClaimAnswers<M> answers;
  private final OutageDetector outage;
  private final Environment env;

  /** What goes with the next call. The lock of this guards it and what follows. */
  private final Queue<ClaimAttempt<M>> queue = new ArrayDeque<>();

  private int calls;

  /** Allocated once: where memory is used up, the queue would be left to no thread. */
  private final Runnable callAll = this::callAll;

  public ClaimSender(ClaimAnswers<M> answers, OutageDetector outage, Environment env) {
    this.answers = answers;
    this.outage = outage;
    this.env = env;
  }

  /** Sends what the course asks for, now or with the next call that is free. */
  void send(ClaimAttempt<M> course) {
    if (course.tried() || outage.over()) {
      send(List.of(course));
    } else if (hasCallFor(course)) {
      callOnce();
    }
  }

  /**
   * The same on another thread, for a course that is sent for the first time: whoever hands
   * messages in does not wait for the store.
   */
  void sendElsewhere(ClaimAttempt<M> course) {
    if (outage.over()) {
      env.threads().call(() -> send(List.of(course)));
    } else if (hasCallFor(course)) {
      env.threads().call(callAll);
    }
  }

  /** Nobody waits for the store any more: what waits for a call, which may hang, needs none. */
  public void needNoCall() {
    waiting().forEach(course -> env.threads().call(() -> send(List.of(course))));
  }

  private synchronized List<ClaimAttempt<M>> waiting() {
    List<ClaimAttempt<M>> waiting = List.copyOf(queue);
    queue.clear();
    return waiting;
  }

  /** Takes a course in; true if there is a free call, which is the caller's to make. */
  private synchronized boolean hasCallFor(ClaimAttempt<M> course) {
    queue.addAll(List.of(course)); // it grows before it takes in, whereas add(..) grows afterwards
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
    } catch (OutOfMemoryError e) {
      // The courses are in the queue still.
    } finally {
      if (isNeeded()) {
        env.threads().call(callAll);
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
          env.threads().call(callAll);
        }
      }
    }
  }

  /** What goes now. If an error ends this, all courses stay in the queue. */
  private synchronized List<ClaimAttempt<M>> next() {
    List<ClaimAttempt<M>> group = new ArrayList<>();
    int size = 0;
    for (ClaimAttempt<M> course : queue) {
      size += course.size();
      if (!group.isEmpty() && size > LARGEST_GROUP) {
        break;
      }
      group.add(course);
    }
    for (int i = 0; i < group.size(); i++) {
      queue.remove();
    }
    return group;
  }

  /** Whether something waits for the caller's next call; if not, that is free again. */
  private synchronized boolean isNeeded() {
    boolean needed = !queue.isEmpty();
    calls -= needed ? 0 : 1;
    return needed;
  }

  /** Does not throw. Its loops have no iterator, because memory may be used up. */
  private void send(List<ClaimAttempt<M>> courses) {
    List<ClaimAttempt<M>> group;
    try {
      group = new ArrayList<>(courses.size());
    } catch (OutOfMemoryError e) {
      broke(courses, e);
      return;
    }
    for (int i = 0; i < courses.size(); i++) {
      courses.get(i).joinGuarded(group);
    }
    if (!group.isEmpty()) {
      call(group);
    }
  }

  private void call(List<ClaimAttempt<M>> group) {
    long sent;
    ClaimReply<M> asked;
    try {
      sent = env.nanos();
      asked = answers.claim(itemsOf(group));
    } catch (RuntimeException | Error e) { // as want of memory: it costs the messages of the group
      broke(group, e);
      return;
    }
    for (int i = 0; i < group.size(); i++) {
      group.get(i).goOnGuarded(asked, sent);
    }
  }

  private static <M> void broke(List<ClaimAttempt<M>> courses, Throwable error) {
    for (int i = 0; i < courses.size(); i++) {
      courses.get(i).broke(error);
    }
  }

  /** Most calls are for one course, of a whole poll. */
  private static <M> List<InFlightMessage<M>> itemsOf(List<ClaimAttempt<M>> group) {
    return group.size() == 1
        ? group.get(0).items()
        : group.stream().flatMap(course -> course.items().stream()).toList();
  }
}
