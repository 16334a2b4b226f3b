package io.hapax.internal.store;

import io.hapax.internal.runtime.Environment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.ToIntFunction;

/**
 * Sends entries to the store in groups. Entries that arrive while as many calls are in flight as
 * may be go with the next call.
 *
 * <p>Thread-safe. Calls no foreign code under its lock, but the size of an entry.
 */
public final class StoreQueue<E> {

  /** Makes one call to the store. */
  @FunctionalInterface
  public interface Call<E> {

    /**
     * Sends a group. Does not throw.
     *
     * @return whether the call has ended; if not, {@link #resume} ends it
     */
    boolean send(List<E> group);
  }

  /** How many messages one call has at most, unless the first entry alone has more. */
  private static final int LARGEST_GROUP = 500;

  private final int callsAtOnce;
  private final ToIntFunction<E> size;
  private final Call<E> call;
  private final Environment env;
  private final Queue<E> waiting = new ArrayDeque<>();
  private int calls;

  /** The size is the number of an entry's messages. */
  public StoreQueue(int callsAtOnce, ToIntFunction<E> size, Call<E> call, Environment env) {
    this.callsAtOnce = callsAtOnce;
    this.size = size;
    this.call = call;
    this.env = env;
  }

  /** Sends entries from another thread, so that this one does not wait for the store. */
  public void send(List<E> entries) {
    if (!entries.isEmpty() && queue(entries)) {
      env.call(this::callAll);
    }
  }

  /** Puts entries of a group behind all others; for the thread whose call has not ended. */
  public synchronized void putBack(List<E> entries) {
    waiting.addAll(entries);
  }

  /** Ends a call that has not ended, and makes further calls while entries wait. */
  public void resume() {
    if (goOn()) {
      callAll();
    }
  }

  public synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Queues entries; returns true if the caller has to make a call. */
  private synchronized boolean queue(List<E> entries) {
    waiting.addAll(entries);
    boolean free = calls < callsAtOnce;
    calls += free ? 1 : 0;
    return free;
  }

  /** Makes call after call on this thread, which saves waking another thread for each. */
  private void callAll() {
    boolean more = true;
    while (more) {
      List<E> group = next();
      more = (group.isEmpty() || call.send(group)) && goOn();
    }
  }

  private synchronized List<E> next() {
    List<E> group = new ArrayList<>();
    int messages = 0;
    for (E entry = waiting.peek(); entry != null; entry = waiting.peek()) {
      messages += size.applyAsInt(entry);
      if (!group.isEmpty() && messages > LARGEST_GROUP) {
        break;
      }
      group.add(waiting.remove());
    }
    return group;
  }

  /** Returns whether another call follows; if none does, the call is free. */
  private synchronized boolean goOn() {
    boolean more = !waiting.isEmpty();
    calls -= more ? 0 : 1;
    return more;
  }
}
