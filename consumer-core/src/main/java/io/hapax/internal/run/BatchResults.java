package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.adapter.Outcome;
import io.hapax.internal.claim.ClaimCall;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * Finishes the messages of a transaction that has ended. It records a failed attempt under a claim
 * of its own, because the rollback has removed the first one.
 */
public record BatchResults<M>(
    ClaimCall call,
    Failures<M> failures,
    UnacquiredClaims<M> unacquired,
    Settler<M> settler,
    Outcomes<M> outcomes) {

  BatchPlan<M> plan(List<InFlightMessage<M>> messages, List<ClaimAnswer> answers) {
    return new BatchPlan<>(messages, answers, failures::barred);
  }

  void committed(BatchPlan<M> plan) {
    plan.running().forEach(it -> failures.reportAge(it.message(), it.acquired()));
    settler.committed(plan.running());
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
      case BARRED -> failed(message, Optional.empty());
      case STANDS -> {
        var unused = unacquired.finish(message, place.answer());
      }
    }
  }

  /**
   * Claims a message that failed alone, settles the claim by the failure, and finishes the message.
   * There is no failure if the message was barred from its transaction.
   */
  void failed(InFlightMessage<M> message, Optional<Throwable> failure) {
    try {
      ClaimAnswer answer = call.claimNow(message);
      if (answer instanceof Acquired acquired) {
        Failures.Decision decision = decision(message, acquired, failure);
        settler.settleNow(message, acquired.claim(), decision.verdict(), decision.outcome());
      } else {
        unacquired.finish(message, answer);
      }
    } catch (RuntimeException unanswered) { // the checked store has reported it
      outcomes.finish(message, Deferrals.storeUnavailable(unanswered));
    }
  }

  /** Decides the settlement; a message that is not barred any more is redelivered. */
  private Failures.Decision decision(
      InFlightMessage<M> message, Acquired acquired, Optional<Throwable> failure) {
    if (failure.isPresent() && failures.exhausted(acquired)) {
      String detail = Descriptions.of(failure.get());
      return failures.bury(message, acquired, Kind.ATTEMPTS_EXHAUSTED, detail, false, failure);
    }
    return failure
        .map(it -> failures.decide(message, acquired, FailedCall.rolledBack(it)))
        .or(() -> failures.withoutRunning(message, acquired))
        .orElseGet(() -> new Failures.Decision(new Verdict.Release(), BlockedLanes.SHORTLY));
  }

  void defer(InFlightMessage<M> message, Outcome deferral) {
    outcomes.finish(message, deferral);
  }
}
