package io.hapax.internal;

import io.hapax.HandlerCall;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs the user's handler. A call that takes longer than it may is interrupted, and the leases of
 * its messages are renewed no more: if it does not even end then, another process takes them over.
 * Here their ids stay taken until it does.
 */
final class Handling<M> {

  private final Engine<M> engine;
  private final HandlerCalls calls;
  private final Optional<Duration> limit;

  Handling(Engine<M> engine, HandlerCalls calls, Optional<Duration> limit) {
    this.engine = engine;
    this.calls = calls;
    this.limit = limit;
  }

  void run(List<Item<M>> items, HandlerCalls.Code code) throws HandlerFailure {
    if (!engine.events().heard()) {
      runLimited(items, code);
      return;
    }
    long begin = engine.nanos();
    Optional<Throwable> failure = Optional.empty();
    try {
      runLimited(items, code);
    } catch (HandlerFailure e) {
      failure = Optional.of(e.reason());
      throw e;
    } finally {
      ended(items, Duration.ofNanos(engine.nanos() - begin), failure);
    }
  }

  private void ended(List<Item<M>> items, Duration took, Optional<Throwable> failure) {
    HandlerCall call =
        new HandlerCall(items.stream().map(Item::requiredKey).toList(), took, failure);
    engine.events().tell(it -> it.onHandlerCall(call));
  }

  private void runLimited(List<Item<M>> items, HandlerCalls.Code code) throws HandlerFailure {
    if (limit.isEmpty()) {
      calls.run(code);
      return;
    }
    AtomicBoolean overdue = new AtomicBoolean();
    Runnable passed = () -> {
      overdue.set(true);
      overdue(items);
    };
    try {
      calls.run(code, new HandlerCalls.Limit(limit.get(), passed));
    } finally {
      if (overdue.get()) {
        items.forEach(item -> engine.events().clear(source(item)));
      }
    }
  }

  private void overdue(List<Item<M>> items) {
    for (Item<M> item : items) {
      item.lease.forsake();
      engine.events().overdue(source(item), limit.orElseThrow());
    }
  }

  private String source(Item<M> item) {
    return "handler of " + item.requiredKey() + " at " + item.incoming.coordinates();
  }
}
