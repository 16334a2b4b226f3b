package io.hapax.internal.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Queues entries while a group of them is in flight, and returns them as the next group. One caller
 * at a time drains the queue: the one whose entry starts the draining, until no entry is left.
 *
 * <p>Thread-safe. The queue calls no foreign code under its lock.
 */
public final class GroupQueue<E> {

  private final int largestGroup;
  private final Queue<E> waiting = new ArrayDeque<>();
  private boolean draining;

  public GroupQueue(int largestGroup) {
    this.largestGroup = largestGroup;
  }

  /** Queues entries; returns true if no thread drains the queue, so that the caller has to. */
  public synchronized boolean add(List<E> entries) {
    waiting.addAll(entries);
    boolean first = !draining;
    draining = true;
    return first;
  }

  /** Returns the next group; an empty group ends the draining. */
  public synchronized List<E> next() {
    int size = Math.min(waiting.size(), largestGroup);
    List<E> group = new ArrayList<>(size);
    for (E entry : waiting) {
      if (group.size() == size) {
        break;
      }
      group.add(entry);
    }
    for (int i = 0; i < size; i++) { // last, because no error can follow
      waiting.remove();
    }
    draining = size > 0;
    return group;
  }

  /** Puts entries of a group back behind all others; called by the thread that drains. */
  public synchronized void putBack(List<E> entries) {
    waiting.addAll(entries);
  }

  public synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }
}
