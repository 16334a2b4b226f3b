package io.hapax.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/** What waits until claims may be sent, as long as it is wanted. */
final class HeldBack {

  private record Held(BooleanSupplier wanted, Runnable action, long since) {}

  private final List<Held> waiting = new ArrayList<>();
  private boolean closed;

  /** Takes something, unless it will never be let go. */
  synchronized void add(BooleanSupplier wanted, Runnable action, long nowNanos) {
    if (!closed) {
      waiting.add(new Held(wanted, action, nowNanos));
    }
  }

  /** What may go now, by when it came. */
  synchronized List<Runnable> release(LongPredicate mayGo) {
    waiting.removeIf(it -> !it.wanted().getAsBoolean());
    List<Held> ready = waiting.stream().filter(it -> mayGo.test(it.since())).toList();
    waiting.removeAll(ready);
    return ready.stream().map(Held::action).toList();
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
