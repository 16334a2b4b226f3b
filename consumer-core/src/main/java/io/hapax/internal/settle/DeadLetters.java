package io.hapax.internal.settle;

import io.hapax.DeadLetter;
import io.hapax.DeadLetter.Kind;
import io.hapax.DeadLetterPublisher;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.health.Problem;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.FailStop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes dead-letter records. If the publisher fails or exceeds its timeout, the message's lane
 * stops and the publisher is called again after the backoff.
 */
public final class DeadLetters<M> {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

  /** Why a message is dead-lettered, and what its last attempt threw, if one led to it. */
  record Letter(
      int attempts, Kind kind, String detail, boolean inDoubt, Optional<Throwable> error) {}

  private final String scope;
  private final UserCodeCalls calls;
  private final Events events;
  private final Backoff backoff;
  private final Optional<DeadLetterPublisher<M>> publisher;
  private final Duration timeout;
  private final BlockedMessages blocked;

  public DeadLetters(
      EngineSettings<M> settings, UserCodeCalls calls, Events events, BlockedMessages blocked) {
    this.scope = settings.scope();
    this.calls = calls;
    this.events = events;
    this.blocked = blocked;
    this.backoff = Backoff.ofRetries(settings.failing().retry());
    this.publisher = settings.reporting().deadLetters();
    this.timeout = settings.reporting().deadLetterTimeout();
  }

  /**
   * Publishes the dead-letter record of a message; returns the deferral of the message if the
   * record was not acknowledged.
   */
  Optional<Deferred> publish(InFlightMessage<M> message, Letter letter) {
    String id = message.key().map(key -> key.id().toString()).orElse("");
    String where = message.incoming.coordinates();
    String subject = where + (id.isEmpty() ? " (no id)" : " (" + id + ")");
    String reason = " (" + letter.kind() + ": " + letter.detail() + ")";
    if (publisher.isEmpty()) {
      return refuse(
          message, subject + " cannot be dead-lettered" + reason + ": deadLetters is not set");
    }
    M received;
    try {
      received = message.incoming.message();
    } catch (Throwable e) { // it is read again, because a handler may have changed it
      FailStop.throwIfOfTheProcess(e);
      return refuse(
          message,
          subject + " could not be dead-lettered" + reason + ": it could not be read again, "
              + Descriptions.of(e));
    }
    DeadLetter<M> deadLetter = new DeadLetter<>(
        received,
        scope,
        id,
        where,
        letter.attempts(),
        letter.kind(),
        letter.detail(),
        letter.inDoubt(),
        letter.error());
    Optional<String> failure = call(publisher.get(), deadLetter);
    if (failure.isPresent()) {
      return refuse(
          message, subject + " could not be dead-lettered" + reason + ": " + failure.get());
    }
    events.notifyListeners(it -> it.onDeadLetter(deadLetter));
    LOG.warn("{} was dead-lettered{}", subject, reason);
    return Optional.empty();
  }

  /** Returns why the publisher failed; empty if the broker has acknowledged the record. */
  private Optional<String> call(DeadLetterPublisher<M> target, DeadLetter<M> deadLetter) {
    AtomicBoolean late = new AtomicBoolean();
    Runnable onTimeout = () -> {
      late.set(true);
      late(deadLetter.coordinates());
    };
    try {
      UserCodeCalls.Code<Optional<String>> code = () -> {
        target.publish(deadLetter);
        return Optional.empty();
      };
      return calls.run(code, Optional.of(new UserCodeCalls.Limit(timeout, onTimeout)), false);
    } catch (HandlerFailure e) {
      String reason = Descriptions.of(e.reason());
      return Optional.of(
          late.get() ? "the publisher did not return within " + timeout + ": " + reason : reason);
    } finally {
      if (late.get()) {
        events.clear(Problem.Kind.DEAD_LETTERS, deadLetter.coordinates());
      }
    }
  }

  private void late(String where) {
    String source = "dead-letter publisher for " + where;
    LOG.error("The {} was interrupted after {}; its lane waits until it returns", source, timeout);
    String text = source + " was interrupted after " + timeout + " and has not returned";
    events.raise(Problem.Kind.DEAD_LETTERS, where, where, text);
  }

  private Optional<Deferred> refuse(InFlightMessage<M> message, String detail) {
    Duration pause = backoff.after(blocked.refusals(message) + 1);
    blocked.block(message, detail, pause);
    return Optional.of(new Deferred(Reason.DEAD_LETTER_FAILED, pause, detail));
  }
}
