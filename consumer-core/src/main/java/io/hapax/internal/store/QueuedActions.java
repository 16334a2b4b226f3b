package io.hapax.internal.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** Holds actions until claims may be sent. Drops an action that is no longer wanted. */
final class QueuedActions {

  private record Queued(BooleanSupplier wanted, Runnable action, long sinceNanos) {}

  private final List<Queued> queue = new ArrayList<>();
  private boolean closed;

  synchronized void add(BooleanSupplier wanted, Runnable action, long nowNanos) {
    if (!closed) {
      queue.add(new Queued(wanted, action, nowNanos));
    }
  }

  /**
   * Executes the actions that may start, by the time at which they were queued. If the executor
   * throws, the action stays in the queue.
   */
  synchronized void release(LongPredicate mayStart, Consumer<Runnable> executor) {
    for (Iterator<Queued> all = queue.iterator(); all.hasNext(); ) {
      Queued next = all.next();
      if (!next.wanted().getAsBoolean()) {
        all.remove();
      } else if (mayStart.test(next.sinceNanos())) {
        executor.accept(next.action());
        all.remove();
      }
    }
  }

  synchronized boolean isEmpty() {
    return queue.isEmpty();
  }

  synchronized void close() {
    closed = true;
    queue.clear();
  }
}
