package io.hapax.internal.handler;

import io.hapax.ReceiverListener;
import io.hapax.health.Problem;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Environment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the user's handler. A call that exceeds the handler timeout is interrupted, and the leases
 * of its messages are not renewed any more. If the call still does not end, another process takes
 * over its messages. In this process their ids remain in flight until the call ends.
 */
public record HandlerInvoker<M>(
    Environment env, Events events, UserCodeCalls calls, Optional<Duration> limit) {

  private static final Logger LOG = LoggerFactory.getLogger(HandlerInvoker.class);

  /** Calls the handler, which may commit its work itself, and notifies the listeners. */
  public <R> R run(List<ClaimedMessage<M>> messages, UserCodeCalls.Code<R> code, boolean commits)
      throws HandlerFailure {
    if (!events.hasListeners()) {
      return runLimited(messages, code, commits);
    }
    long begin = env.nanos();
    Optional<Throwable> failure = Optional.empty();
    try {
      return runLimited(messages, code, commits);
    } catch (HandlerFailure e) {
      failure = Optional.of(e.reason());
      throw e;
    } finally {
      ended(messages, Duration.ofNanos(env.nanos() - begin), failure);
    }
  }

  private void ended(List<ClaimedMessage<M>> messages, Duration took, Optional<Throwable> failure) {
    ReceiverListener.HandlerCall call = new ReceiverListener.HandlerCall(
        messages.stream().map(it -> it.message().requiredKey()).toList(), took, failure);
    events.notifyListeners(it -> it.onHandlerCall(call));
  }

  private <R> R runLimited(
      List<ClaimedMessage<M>> messages, UserCodeCalls.Code<R> code, boolean commits)
      throws HandlerFailure {
    AtomicBoolean overdue = new AtomicBoolean();
    Optional<UserCodeCalls.Limit> limited = limit.map(time -> new UserCodeCalls.Limit(time, () -> {
      overdue.set(true);
      messages.forEach(it -> overdue(it.message(), time));
    }));
    try {
      return calls.run(code, limited, commits);
    } finally {
      if (overdue.get()) {
        messages.forEach(it -> events.clear(Problem.Kind.HANDLER_TIMEOUT, source(it.message())));
      }
    }
  }

  private void overdue(InFlightMessage<M> message, Duration time) {
    message.lease.stopRenewal();
    String handler = source(message);
    LOG.error("{} was interrupted after {}; its lease is not renewed any more", handler, time);
    String text = handler + " was interrupted after " + time + " and has not ended";
    events.raise(Problem.Kind.HANDLER_TIMEOUT, handler, message.incoming.coordinates(), text);
  }

  private String source(InFlightMessage<M> message) {
    return "handler of " + message.requiredKey() + " at " + message.incoming.coordinates();
  }
}
