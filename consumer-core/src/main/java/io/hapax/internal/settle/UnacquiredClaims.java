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
    return answer.match(
        acquired -> {
          throw new IllegalStateException(message.requiredKey() + " was acquired and has to run");
        },
        busy -> end(message, Deferrals.busy(busy.remaining())),
        suspect -> end(message, BlockedLanes.SHORTLY),
        done -> end(message, outcome(message, done)),
        dead -> end(message, new Outcome.DeadLettered(dead.reason())),
        conflict ->
            unmarked.conflict(message, "another payload is " + conflict.state() + " under this id"),
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
}
