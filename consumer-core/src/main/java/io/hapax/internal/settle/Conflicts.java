package io.hapax.internal.settle;

import io.hapax.DeadLetter.Kind;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.policy.ConflictPolicy;
import io.hapax.policy.ConflictPolicy.Decision;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the conflict policy to a message whose id is known with another payload. */
public final class Conflicts<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Conflicts.class);

  private final Optional<ConflictPolicy<M>> policy;
  private final RetrySettings retry;
  private final Optional<UserCodeCalls.Limit> limit;
  private final Backoff backoff;
  private final UserCodeCalls calls;
  private final Events events;
  private final Outcomes<M> outcomes;
  private final BlockedMessages blocked;
  private final UnmarkedMessages<M> unmarked;

  public Conflicts(
      EngineSettings<M> settings,
      UserCodeCalls calls,
      Events events,
      Outcomes<M> outcomes,
      BlockedMessages blocked,
      UnmarkedMessages<M> unmarked) {
    this.policy = settings.reading().conflicts();
    this.retry = settings.failing().retry();
    this.limit = settings
        .running()
        .handlerTimeout()
        .map(time -> new UserCodeCalls.Limit(time, () -> {}));
    this.backoff = Backoff.ofRetries(retry);
    this.calls = calls;
    this.events = events;
    this.outcomes = outcomes;
    this.blocked = blocked;
    this.unmarked = unmarked;
  }

  /**
   * Finishes the message; returns the deferral that stops its lane, if any. Runs where the user's
   * code for the message runs, as the policy does.
   */
  Optional<Deferred> finish(InFlightMessage<M> message, String detail) {
    Decision decision;
    try {
      decision = decide(message, detail);
    } catch (HandlerFailure failure) {
      report(message, Decision.FAIL);
      String reason = detail + ", and the policy threw " + Descriptions.of(failure.reason());
      return stop(message, reason, backoff.after(blocked.refusals(message) + 1));
    }
    report(message, decision);
    return switch (decision) {
      case DEAD_LETTER -> unmarked.deadLetter(message, Kind.CONFLICT, detail);
      case DROP -> drop(message, detail);
      case FAIL -> stop(message, detail, retry.maxBackoff());
    };
  }

  private Decision decide(InFlightMessage<M> message, String detail) throws HandlerFailure {
    if (policy.isEmpty()) {
      return Decision.DEAD_LETTER;
    }
    UserCodeCalls.Code<Decision> code = () -> {
      ConflictPolicy.ConflictingMessage<M> conflict = new ConflictPolicy.ConflictingMessage<>(
          message.incoming.message(), // inside of the call: it may be read again
          message.requiredKey().id().toString(),
          message.incoming.coordinates(),
          detail);
      return Objects.requireNonNull(policy.get().decide(conflict), "decision");
    };
    return calls.run(code, limit, false);
  }

  private void report(InFlightMessage<M> message, Decision decision) {
    String where = message.incoming.coordinates();
    events.notifyListeners(it -> it.onConflict(message.requiredKey(), where, decision));
  }

  private Optional<Deferred> drop(InFlightMessage<M> message, String detail) {
    LOG.warn(
        "{} at {} is dropped: {}", message.requiredKey(), message.incoming.coordinates(), detail);
    message.withoutMark();
    outcomes.finish(message, new Outcome.Dropped(detail));
    return Optional.empty();
  }

  private Optional<Deferred> stop(InFlightMessage<M> message, String detail, Duration pause) {
    String where = message.requiredKey() + " at " + message.incoming.coordinates();
    blocked.block(message, where + ": " + detail, pause);
    Deferred stop = new Deferred(Reason.CONFLICT, pause, detail);
    message.withoutMark();
    outcomes.finish(message, stop);
    return Optional.of(stop);
  }
}
