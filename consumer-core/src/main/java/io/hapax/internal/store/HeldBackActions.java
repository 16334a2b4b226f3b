package io.hapax.internal.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** What waits until claims may be sent, as long as it is wanted. */
final class HeldBackActions {

  private record Held(BooleanSupplier wanted, Runnable action, long since) {}

  private final List<Held> waiting = new ArrayList<>();
  private boolean closed;

  /** Takes something, unless it will never be let go. */
  synchronized void add(BooleanSupplier wanted, Runnable action, long nowNanos) {
    if (!closed) {
      waiting.add(new Held(wanted, action, nowNanos));
    }
  }

  /** Hands over what may go now, by when it came. An action stays here until it is handed over. */
  synchronized void release(LongPredicate mayGo, Consumer<Runnable> handOver) {
    for (Iterator<Held> all = waiting.iterator(); all.hasNext(); ) {
      Held held = all.next();
      if (!held.wanted().getAsBoolean()) {
        all.remove();
      } else if (mayGo.test(held.since())) {
        handOver.accept(held.action());
        all.remove();
      }
    }
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Nothing goes any more. */
  synchronized void close() {
    closed = true;
    waiting.clear();
  }
}
