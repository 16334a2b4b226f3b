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

  void run(List<Started<M>> messages, HandlerCalls.Code code) throws HandlerFailure {
    if (!engine.events().heard()) {
      runLimited(messages, code);
      return;
    }
    long begin = engine.nanos();
    Optional<Throwable> failure = Optional.empty();
    try {
      runLimited(messages, code);
    } catch (HandlerFailure e) {
      failure = Optional.of(e.reason());
      throw e;
    } finally {
      ended(messages, Duration.ofNanos(engine.nanos() - begin), failure);
    }
  }

  private void ended(List<Started<M>> messages, Duration took, Optional<Throwable> failure) {
    HandlerCall call = new HandlerCall(
        messages.stream().map(it -> it.item().requiredKey()).toList(), took, failure);
    engine.events().tell(it -> it.onHandlerCall(call));
  }

  private void runLimited(List<Started<M>> messages, HandlerCalls.Code code) throws HandlerFailure {
    if (limit.isEmpty()) {
      calls.run(code);
      return;
    }
    AtomicBoolean overdue = new AtomicBoolean();
    Runnable passed = () -> {
      overdue.set(true);
      overdue(messages);
    };
    try {
      calls.run(code, new HandlerCalls.Limit(limit.get(), passed));
    } finally {
      if (overdue.get()) {
        messages.forEach(it -> engine.events().clear(source(it.item())));
      }
    }
  }

  private void overdue(List<Started<M>> messages) {
    for (Started<M> it : messages) {
      it.item().lease.forsake();
      engine.events().overdue(source(it.item()), limit.orElseThrow());
    }
  }

  private String source(Item<M> item) {
    return "handler of " + item.requiredKey() + " at " + item.incoming.coordinates();
  }
}
