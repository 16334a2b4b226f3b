package io.hapax.internal.settle;

import io.hapax.DeadLetter.Kind;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.settle.DeadLetters.Letter;
import io.hapax.mark.ClaimAnswer;
import io.hapax.policy.ConflictPolicy.ConflictingMessage;
import io.hapax.policy.ConflictPolicy.Decision;
import io.hapax.policy.MissingFingerprintPolicy;
import io.hapax.policy.MissingIdPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes messages that have acquired no claim, by the states of their marks. A message cannot own
 * a mark without an id or a fingerprint, or with an id that is known with another payload. Without
 * a dead-letter record it blocks its lane.
 */
public final class UnacquiredMessages<M> {

  private static final Logger LOG = LoggerFactory.getLogger(UnacquiredMessages.class);

  private final EngineSettings.Reading<M> reading;
  private final RetrySettings retry;
  private final Optional<UserCodeCalls.Limit> limit;
  private final Backoff backoff;
  private final UserCodeCalls calls;
  private final Events events;
  private final DeadLetters<M> deadLetters;
  private final BlockedMessages blocked;
  private final Outcomes<M> outcomes;

  public UnacquiredMessages(
      EngineSettings<M> settings,
      UserCodeCalls calls,
      Events events,
      DeadLetters<M> deadLetters,
      BlockedMessages blocked,
      Outcomes<M> outcomes) {
    this.reading = settings.reading();
    this.retry = settings.failing().retry();
    this.limit =
        settings.running().handlerTimeout().map(time -> new UserCodeCalls.Limit(time, () -> {}));
    this.backoff = Backoff.ofRetries(retry);
    this.calls = calls;
    this.events = events;
    this.deadLetters = deadLetters;
    this.blocked = blocked;
    this.outcomes = outcomes;
  }

  /**
   * Finishes a message by the answer to its claim, if it could be claimed; returns the deferral
   * that stops its lane, if any.
   */
  public Optional<Deferred> finish(InFlightMessage<M> message, ClaimAnswer answer) {
    return message.markable ? answered(message, answer) : unmarked(message);
  }

  private Optional<Deferred> answered(InFlightMessage<M> message, ClaimAnswer answer) {
    return answer.match(
        acquired -> {
          throw new IllegalStateException(message.requiredKey() + " was acquired and has to run");
        },
        busy -> end(message, Deferrals.busy(busy.remaining())),
        suspect -> end(message, BlockedLanes.SHORTLY),
        done -> end(message, outcome(message, done)),
        dead -> end(message, new Outcome.DeadLettered(dead.reason())),
        conflict -> conflict(message, "another payload is " + conflict.state() + " under this id"),
        tooLate -> end(message, BlockedLanes.SHORTLY),
        unavailable -> end(message, Deferrals.storeUnavailable(unavailable.reason())));
  }

  /** A message was executed if the mark has its nonce: the reply to a commit was lost. */
  private Outcome outcome(InFlightMessage<M> message, ClaimAnswer.Done answer) {
    if (answer.own()) {
      return Outcome.Executed.FOUND_BY_RESENDING;
    }
    events.notifyListeners(it -> it.onDuplicate(message.requiredKey(), answer.doneAt()));
    return new Outcome.Duplicate(answer.result());
  }

  private Optional<Deferred> end(InFlightMessage<M> message, Outcome outcome) {
    outcomes.finish(message, outcome);
    return outcome instanceof Deferred deferred ? Optional.of(deferred) : Optional.empty();
  }

  private Optional<Deferred> unmarked(InFlightMessage<M> message) {
    String subject = "the message at " + message.incoming.coordinates();
    if (message.key().isEmpty()) {
      String detail = subject + " has no usable id";
      return reading.missingIds() == MissingIdPolicy.FAIL
          ? stop(message, detail, new Deferred(Reason.MISSING_ID, retry.maxBackoff(), detail))
          : deadLetter(message, Kind.MISSING_ID, detail);
    }
    String detail = subject + " has no fingerprint";
    return reading.missingFingerprints() == MissingFingerprintPolicy.FAIL
        ? stop(
            message, detail, new Deferred(Reason.MISSING_FINGERPRINT, retry.maxBackoff(), detail))
        : deadLetter(message, Kind.MISSING_FINGERPRINT, detail);
  }

  /**
   * Applies the conflict policy to a message whose id is known with another payload, and finishes
   * it; returns the deferral that stops its lane, if any. Runs where the user's code for the
   * message runs, as the policy does.
   */
  Optional<Deferred> conflict(InFlightMessage<M> message, String detail) {
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
      case DEAD_LETTER -> deadLetter(message, Kind.CONFLICT, detail);
      case DROP -> drop(message, detail);
      case FAIL -> stop(message, detail, retry.maxBackoff());
    };
  }

  private Decision decide(InFlightMessage<M> message, String detail) throws HandlerFailure {
    if (reading.conflicts().isEmpty()) {
      return Decision.DEAD_LETTER;
    }
    UserCodeCalls.Code<Decision> code = () -> {
      ConflictingMessage<M> conflict = new ConflictingMessage<>(
          message.incoming.handout().next(), // inside of the call: it may be read again
          message.requiredKey().id().toString(),
          message.incoming.coordinates(),
          detail);
      return Objects.requireNonNull(reading.conflicts().get().decide(conflict), "decision");
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
    return stop(message, where + ": " + detail, new Deferred(Reason.CONFLICT, pause, detail));
  }

  private Optional<Deferred> stop(InFlightMessage<M> message, String problem, Deferred stop) {
    blocked.block(message, problem, stop.after());
    message.withoutMark();
    outcomes.finish(message, stop);
    return Optional.of(stop);
  }

  private Optional<Deferred> deadLetter(InFlightMessage<M> message, Kind kind, String detail) {
    Optional<Deferred> refused =
        deadLetters.publish(message, new Letter(0, kind, detail, false, Optional.empty()));
    message.withoutMark();
    outcomes.finish(
        message, refused.map(it -> (Outcome) it).orElseGet(() -> new Outcome.DeadLettered(detail)));
    return refused;
  }
}
