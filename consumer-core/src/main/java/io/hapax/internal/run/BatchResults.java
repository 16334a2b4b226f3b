package io.hapax.internal.run;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.internal.settle.Completions;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.MessageAges;
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

  BatchPlan<M> plan(List<InFlightMessage<M>> items, List<ClaimAnswer> answers) {
    return new BatchPlan<>(items, answers, failures::barred);
  }

  void committed(BatchPlan<M> plan) {
    if (!plan.running().isEmpty()) {
      events.progressed();
    }
    for (ClaimedMessage<M> it : plan.running()) {
      ages.report(it.item(), it.acquired());
      events.recovered(it.item().requiredKey(), it.acquired());
      outcomes.finish(it.item(), Completions.outcome(it.acquired(), Bytes.EMPTY));
    }
    finishThoseThatDidNotRun(plan);
  }

  void finishThoseThatDidNotRun(BatchPlan<M> plan) {
    BlockedLanes stops = new BlockedLanes();
    for (BatchPlan.Place<M> place : plan.places()) {
      InFlightMessage<M> item = place.item();
      if (place.turn() != BatchPlan.Turn.RUNS && stops.stopped(item)) {
        outcomes.finish(item, stops.behind(item));
        continue;
      }
      if (item.unfinished()) {
        finish(place);
      }
      stops.after(item);
    }
  }

  private void finish(BatchPlan.Place<M> place) {
    InFlightMessage<M> item = place.item();
    switch (place.turn()) {
      case RUNS -> {}
      case BEHIND -> outcomes.finish(item, Deferrals.behind(BlockedLanes.SHORTLY.after()));
      case BARRED -> failedAttempts.write(item, Optional.empty());
      case STANDS -> {
        var unused = unacquired.finish(item, place.answer());
      }
    }
  }

  /** Records the failed attempt of a message that failed alone. */
  void failed(InFlightMessage<M> item, Throwable failure) {
    failedAttempts.write(item, Optional.of(failure));
  }

  void defer(InFlightMessage<M> item, Outcome deferral) {
    outcomes.finish(item, deferral);
  }
}
