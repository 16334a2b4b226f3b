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
import io.hapax.policy.ConflictingMessage;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a message whose id is known with another payload the outcome that the policy decides. */
public final class Conflicts<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Conflicts.class);

  private final Optional<ConflictPolicy<M>> policy;
  private final RetrySettings retry;
  private final Optional<Duration> limit;
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
    this.limit = settings.running().handlerTimeout();
    this.backoff = Backoff.ofRetries(retry);
    this.calls = calls;
    this.events = events;
    this.outcomes = outcomes;
    this.blocked = blocked;
    this.unmarked = unmarked;
  }

  /**
   * Finishes the item, on a worker thread.
   *
   * @return the deferral that stops its lane, if it is one
   */
  Optional<Deferred> finish(InFlightMessage<M> item, String detail) {
    Decision decision;
    try {
      decision = decide(item, detail);
    } catch (HandlerFailure failure) {
      tell(item, Decision.FAIL);
      String why = detail + ", and the policy threw " + Descriptions.of(failure.reason());
      return stop(item, why, backoff.after(blocked.times(item) + 1));
    }
    tell(item, decision);
    return switch (decision) {
      case DEAD_LETTER -> unmarked.deadLetter(item, Kind.CONFLICT, detail);
      case DROP -> drop(item, detail);
      case FAIL -> stop(item, detail, retry.maxBackoff());
    };
  }

  private Decision decide(InFlightMessage<M> item, String detail) throws HandlerFailure {
    if (policy.isEmpty()) {
      return Decision.DEAD_LETTER;
    }
    ConflictingMessage<M> conflict = new ConflictingMessage<>(
        item.incoming.message(),
        item.requiredKey().id().toString(),
        item.incoming.coordinates(),
        detail);
    Decision[] decision = {Decision.FAIL};
    UserCodeCalls.Code code =
        () -> decision[0] = Objects.requireNonNull(policy.get().decide(conflict), "decision");
    if (limit.isPresent()) {
      calls.run(code, new UserCodeCalls.Limit(limit.get(), () -> {}));
    } else {
      calls.run(code);
    }
    return decision[0];
  }

  private void tell(InFlightMessage<M> item, Decision decision) {
    String where = item.incoming.coordinates();
    events.tell(it -> it.onConflict(item.requiredKey(), where, decision));
  }

  private Optional<Deferred> drop(InFlightMessage<M> item, String detail) {
    LOG.warn("{} at {} is dropped: {}", item.requiredKey(), item.incoming.coordinates(), detail);
    item.withoutMark();
    outcomes.finish(item, new Outcome.Dropped(detail));
    return Optional.empty();
  }

  private Optional<Deferred> stop(InFlightMessage<M> item, String detail, Duration pause) {
    String what = item.requiredKey() + " at " + item.incoming.coordinates() + ": " + detail;
    blocked.stands(item, what, pause);
    Deferred stop = new Deferred(Reason.CONFLICT, pause, detail);
    item.withoutMark();
    outcomes.finish(item, stop);
    return Optional.of(stop);
  }
}
