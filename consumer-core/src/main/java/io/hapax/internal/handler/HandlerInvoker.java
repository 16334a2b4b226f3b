package io.hapax.internal.handler;

import io.hapax.HandlerCall;
import io.hapax.health.Problem;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Environment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs the user's handler. A call that takes longer than it may is interrupted, and the leases of
 * its messages are renewed no more: if it does not even end then, another process takes them over.
 * Here their ids stay taken until it does.
 */
public final class HandlerInvoker<M> {

  private final Environment env;
  private final Events events;
  private final UserCodeCalls calls;
  private final Optional<Duration> limit;

  public HandlerInvoker(
      Environment env, Events events, UserCodeCalls calls, Optional<Duration> limit) {
    this.env = env;
    this.events = events;
    this.calls = calls;
    this.limit = limit;
  }

  public void run(List<ClaimedMessage<M>> messages, UserCodeCalls.Code code) throws HandlerFailure {
    if (!events.heard()) {
      runLimited(messages, code);
      return;
    }
    long begin = env.nanos();
    Optional<Throwable> failure = Optional.empty();
    try {
      runLimited(messages, code);
    } catch (HandlerFailure e) {
      failure = Optional.of(e.reason());
      throw e;
    } finally {
      ended(messages, Duration.ofNanos(env.nanos() - begin), failure);
    }
  }

  private void ended(List<ClaimedMessage<M>> messages, Duration took, Optional<Throwable> failure) {
    HandlerCall call = new HandlerCall(
        messages.stream().map(it -> it.item().requiredKey()).toList(), took, failure);
    events.tell(it -> it.onHandlerCall(call));
  }

  private void runLimited(List<ClaimedMessage<M>> messages, UserCodeCalls.Code code)
      throws HandlerFailure {
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
      calls.run(code, new UserCodeCalls.Limit(limit.get(), passed));
    } finally {
      if (overdue.get()) {
        messages.forEach(it -> events.clear(Problem.Kind.HANDLER_TIMEOUT, source(it.item())));
      }
    }
  }

  private void overdue(List<ClaimedMessage<M>> messages) {
    for (ClaimedMessage<M> it : messages) {
      it.item().lease.forsake();
      events.overdue(source(it.item()), it.item().incoming.coordinates(), limit.orElseThrow());
    }
  }

  private String source(InFlightMessage<M> item) {
    return "handler of " + item.requiredKey() + " at " + item.incoming.coordinates();
  }
}
