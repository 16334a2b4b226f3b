package io.hapax.internal.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Gathers entries while a group of them is under way, and hands them out as the next group. One at
 * a time sees to it: whoever adds to it while nobody does, and until no group is left.
 *
 * <p>Thread-safe; nothing of its user runs under its lock.
 */
public final class GroupQueue<E> {

  private final int largestGroup;
  private final Queue<E> waiting = new ArrayDeque<>();
  private boolean seenTo;

  public GroupQueue(int largestGroup) {
    this.largestGroup = largestGroup;
  }

  /** Takes entries in; true if nobody sees to the queue yet, and the caller has to. */
  public synchronized boolean add(List<E> entries) {
    waiting.addAll(entries);
    boolean first = !seenTo;
    seenTo = true;
    return first;
  }

  /** What goes now; if that is nothing, nobody sees to the queue any more. */
  public synchronized List<E> next() {
    int size = Math.min(waiting.size(), largestGroup);
    List<E> group = new ArrayList<>(size);
    for (E entry : waiting) {
      if (group.size() == size) {
        break;
      }
      group.add(entry);
    }
    for (int i = 0; i < size; i++) { // only now: no error can come after this
      waiting.remove();
    }
    seenTo = size > 0;
    return group;
  }

  /** Takes entries of a group in again, behind all others; for whoever sees to the queue. */
  public synchronized void putBack(List<E> entries) {
    waiting.addAll(entries);
  }

  public synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** A copy of what waits. */
  public synchronized List<E> waiting() {
    return List.copyOf(waiting);
  }
}
