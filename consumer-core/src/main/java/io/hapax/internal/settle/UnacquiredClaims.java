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

/** Gives a message that was not acquired the outcome that its mark's state calls for. */
public final class UnacquiredClaims<M> {

  private final Events events;
  private final Outcomes<M> outcomes;
  private final Conflicts<M> conflicts;

  public UnacquiredClaims(Events events, Outcomes<M> outcomes, Conflicts<M> conflicts) {
    this.events = events;
    this.outcomes = outcomes;
    this.conflicts = conflicts;
  }

  /**
   * Finishes the item.
   *
   * @return the deferral that stops its lane, if it is one
   */
  public Optional<Deferred> finish(InFlightMessage<M> item, ClaimAnswer answer) {
    return answer.match(new Cases(item));
  }

  private final class Cases implements ClaimAnswer.Cases<Optional<Deferred>> {

    private final InFlightMessage<M> item;

    Cases(InFlightMessage<M> item) {
      this.item = item;
    }

    @Override
    public Optional<Deferred> acquired(ClaimAnswer.Acquired answer) {
      throw new IllegalStateException(item.requiredKey() + " was acquired and has to run");
    }

    @Override
    public Optional<Deferred> busy(ClaimAnswer.Busy answer) {
      return defer(Deferrals.busy(answer.remaining()));
    }

    @Override
    public Optional<Deferred> suspect(ClaimAnswer.Suspect answer) {
      return defer(BlockedLanes.SHORTLY);
    }

    /** Done under its own nonce: a commit whose reply was lost, found by sending it again. */
    @Override
    public Optional<Deferred> done(ClaimAnswer.Done answer) {
      if (answer.own()) {
        return end(Outcome.Executed.FOUND_BY_RESENDING);
      }
      events.tell(it -> it.onDuplicate(item.requiredKey(), answer.doneAt()));
      return end(new Outcome.Duplicate(answer.result()));
    }

    @Override
    public Optional<Deferred> dead(ClaimAnswer.Dead answer) {
      return end(new Outcome.DeadLettered(answer.reason()));
    }

    @Override
    public Optional<Deferred> conflict(ClaimAnswer.Conflict answer) {
      return conflicts.finish(item, "another payload is " + answer.state() + " under this id");
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
      outcomes.finish(item, outcome);
      return Optional.empty();
    }

    private Optional<Deferred> defer(Deferred deferral) {
      outcomes.finish(item, deferral);
      return Optional.of(deferral);
    }
  }
}
