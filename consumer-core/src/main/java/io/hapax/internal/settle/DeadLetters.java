package io.hapax.internal.settle;

import io.hapax.DeadLetter;
import io.hapax.DeadLetter.Kind;
import io.hapax.DeadLetterPublisher;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.Engine;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes dead letters. If the target refuses one, or does not take it in time, its lane stops
 * and the publisher is called again after the backoff.
 */
final class DeadLetters<M> {

  private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

  private final Engine<M> engine;
  private final Backoff backoff;
  private final Optional<DeadLetterPublisher<M>> publisher;
  private final Duration timeout;
  private final BlockedMessages stalls;

  DeadLetters(
      Engine<M> engine,
      Backoff backoff,
      Optional<DeadLetterPublisher<M>> publisher,
      BlockedMessages stalls) {
    this.engine = engine;
    this.backoff = backoff;
    this.publisher = publisher;
    this.timeout = engine.settings().reporting().deadLetterTimeout();
    this.stalls = stalls;
  }

  /** Publishes a dead letter; what is returned says that it was not acknowledged. */
  Optional<Deferred> publish(
      InFlightMessage<M> item, int attempts, Kind kind, String detail, boolean inDoubt) {
    String id = item.key().map(key -> key.id().toString()).orElse("");
    String where = item.incoming.coordinates();
    String what = where + (id.isEmpty() ? " (no id)" : " (" + id + ")");
    String why = " (" + kind + ": " + detail + ")";
    if (publisher.isEmpty()) {
      return refuse(item, what + " cannot be dead-lettered" + why + ": deadLetters is not set");
    }
    DeadLetter<M> letter = new DeadLetter<>(
        item.incoming.message(),
        engine.settings().scope(),
        id,
        where,
        attempts,
        kind,
        detail,
        inDoubt);
    Optional<String> failure = call(publisher.get(), letter);
    if (failure.isPresent()) {
      return refuse(item, what + " could not be dead-lettered" + why + ": " + failure.get());
    }
    engine.events().tell(it -> it.onDeadLetter(letter));
    LOG.warn("{} was dead-lettered{}", what, why);
    return Optional.empty();
  }

  /** Returns why the publisher failed; empty if the broker has acknowledged the record. */
  private Optional<String> call(DeadLetterPublisher<M> target, DeadLetter<M> letter) {
    String source = "dead-letter publisher for " + letter.coordinates();
    AtomicBoolean late = new AtomicBoolean();
    Runnable passed = () -> {
      late.set(true);
      engine.events().late(source, timeout);
    };
    try {
      engine
          .handlerCalls()
          .run(() -> target.publish(letter), new UserCodeCalls.Limit(timeout, passed));
      return Optional.empty();
    } catch (HandlerFailure e) {
      String reason = Descriptions.of(e.reason());
      return Optional.of(
          late.get() ? "the publisher did not return within " + timeout + ": " + reason : reason);
    } finally {
      if (late.get()) {
        engine.events().clear(source);
      }
    }
  }

  private Optional<Deferred> refuse(InFlightMessage<M> item, String detail) {
    Duration pause = backoff.after(stalls.times(item) + 1);
    stalls.stands(item, detail, pause);
    return Optional.of(new Deferred(Reason.DEAD_LETTER_FAILED, pause, detail));
  }
}
