package io.hapax.internal.run;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.MessageAges;
import io.hapax.internal.settle.Results;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import java.util.List;
import java.util.Optional;

/** Finishes the messages of a transaction that has ended. */
public record BatchResults<M>(
    Failures<M> failures,
    MessageAges<M> ages,
    UnacquiredClaims<M> unacquired,
    FailedAttempts<M> failedAttempts,
    Events events,
    Outcomes<M> outcomes) {

  BatchPlan<M> plan(List<InFlightMessage<M>> messages, List<ClaimAnswer> answers) {
    return new BatchPlan<>(messages, answers, failures::barred);
  }

  void committed(BatchPlan<M> plan) {
    if (!plan.running().isEmpty()) {
      events.progressed();
    }
    for (ClaimedMessage<M> it : plan.running()) {
      ages.report(it.message(), it.acquired());
      events.recovered(it.message().requiredKey(), it.acquired());
      outcomes.finish(it.message(), Results.executed(it.acquired(), Bytes.EMPTY));
    }
    finishThoseThatDidNotRun(plan);
  }

  void finishThoseThatDidNotRun(BatchPlan<M> plan) {
    BlockedLanes stops = new BlockedLanes();
    for (BatchPlan.Place<M> place : plan.places()) {
      InFlightMessage<M> message = place.message();
      if (place.turn() != BatchPlan.Turn.RUNS && stops.stopped(message)) {
        outcomes.finish(message, stops.behind(message));
        continue;
      }
      if (message.unfinished()) {
        finish(place);
      }
      stops.after(message);
    }
  }

  private void finish(BatchPlan.Place<M> place) {
    InFlightMessage<M> message = place.message();
    switch (place.turn()) {
      case RUNS -> {}
      case BEHIND -> outcomes.finish(message, Deferrals.behind(BlockedLanes.SHORTLY.after()));
      case BARRED -> failedAttempts.write(message, Optional.empty());
      case STANDS -> {
        var unused = unacquired.finish(message, place.answer());
      }
    }
  }

  /** Records the failed attempt of a message that failed alone. */
  void failed(InFlightMessage<M> message, Throwable failure) {
    failedAttempts.write(message, Optional.of(failure));
  }

  void defer(InFlightMessage<M> message, Outcome deferral) {
    outcomes.finish(message, deferral);
  }
}
