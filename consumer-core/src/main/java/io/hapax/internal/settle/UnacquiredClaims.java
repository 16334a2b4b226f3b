package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.mark.ClaimAnswer;
import java.util.Optional;

/** Finishes a message whose claim was not acquired, by the state of its mark. */
public record UnacquiredClaims<M>(
    Events events, Outcomes<M> outcomes, UnmarkedMessages<M> unmarked) {

  /** Finishes the message; returns the deferral that stops its lane, if any. */
  public Optional<Deferred> finish(InFlightMessage<M> message, ClaimAnswer answer) {
    return answer.match(new Cases(message));
  }

  private final class Cases implements ClaimAnswer.Cases<Optional<Deferred>> {

    private final InFlightMessage<M> message;

    Cases(InFlightMessage<M> message) {
      this.message = message;
    }

    @Override
    public Optional<Deferred> acquired(ClaimAnswer.Acquired answer) {
      throw new IllegalStateException(message.requiredKey() + " was acquired and has to run");
    }

    @Override
    public Optional<Deferred> busy(ClaimAnswer.Busy answer) {
      return defer(Deferrals.busy(answer.remaining()));
    }

    @Override
    public Optional<Deferred> suspect(ClaimAnswer.Suspect answer) {
      return defer(BlockedLanes.SHORTLY);
    }

    /** Finishes a message as executed if the mark has its nonce: the reply to a commit was lost. */
    @Override
    public Optional<Deferred> done(ClaimAnswer.Done answer) {
      if (answer.own()) {
        return end(Outcome.Executed.FOUND_BY_RESENDING);
      }
      events.notifyListeners(it -> it.onDuplicate(message.requiredKey(), answer.doneAt()));
      return end(new Outcome.Duplicate(answer.result()));
    }

    @Override
    public Optional<Deferred> dead(ClaimAnswer.Dead answer) {
      return end(new Outcome.DeadLettered(answer.reason()));
    }

    @Override
    public Optional<Deferred> conflict(ClaimAnswer.Conflict answer) {
      return unmarked.conflict(message, "another payload is " + answer.state() + " under this id");
    }

    @Override
    public Optional<Deferred> tooLate(ClaimAnswer.TooLate answer) {
      return defer(BlockedLanes.SHORTLY);
    }

    @Override
    public Optional<Deferred> unavailable(ClaimAnswer.Unavailable answer) {
      return defer(Deferrals.storeUnavailable(answer.reason()));
    }

    private Optional<Deferred> end(Outcome outcome) {
      outcomes.finish(message, outcome);
      return Optional.empty();
    }

    private Optional<Deferred> defer(Deferred deferral) {
      outcomes.finish(message, deferral);
      return Optional.of(deferral);
    }
  }
}
