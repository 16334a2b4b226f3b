package io.hapax.internal.run;

import io.hapax.DeadLetter.Kind;
import io.hapax.adapter.Outcome;
import io.hapax.internal.claim.ClaimCall;
import io.hapax.internal.handler.FailedCall;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredMessages;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Selects and starts the messages of a transaction, frees their ids after it, and finishes them. It
 * records a failed attempt under a claim of its own, because the rollback has removed the first
 * one.
 */
public record BatchMessages<M>(
    ClaimCall call,
    InFlightIds ids,
    Failures<M> failures,
    UnacquiredMessages<M> unacquired,
    Settler<M> settler,
    Outcomes<M> outcomes) {

  /**
   * Finishes messages without an id and messages behind a stopped one; returns the others. A
   * message whose id is in flight elsewhere stops its lane.
   */
  List<InFlightMessage<M>> select(List<InFlightMessage<M>> messages) {
    BlockedLanes stops = new BlockedLanes();
    List<InFlightMessage<M>> mine = new ArrayList<>();
    for (InFlightMessage<M> message : messages) {
      if (stops.stopped(message)) {
        outcomes.finish(message, stops.behind(message));
      } else if (!message.markable && message.start()) {
        stops.at(message, unacquired.finish(message, message.answer()));
      } else if (!message.markable) {
        stops.after(message); // it was given up
      } else if (ids.heldBy(message)) {
        mine.add(message);
      } else if (!ids.followsInItsLane(message)) {
        stops.after(message);
      }
    }
    return mine;
  }

  /** Starts the messages that may run, once all have their requests, and returns them. */
  List<InFlightMessage<M>> begin(List<InFlightMessage<M>> all) {
    var unused = requests(all); // an exception must not leave messages that have begun
    return all.stream()
        .filter(message -> message.start() && message.beginHandling())
        .toList();
  }

  /** Returns the requests of messages: the same as before for a message that has one. */
  List<ClaimRequest> requests(List<InFlightMessage<M>> messages) {
    return messages.stream()
        .map(message -> message.request().orElseGet(() -> ask(message)))
        .toList();
  }

  private ClaimRequest ask(InFlightMessage<M> message) {
    ClaimRequest request = call.inTransaction(message);
    message.storeRequest(request);
    return request;
  }

  /** Frees the ids of the messages; after a rollback the messages may start again. */
  void end(List<InFlightMessage<M>> messages, boolean committed) {
    for (InFlightMessage<M> message : messages) {
      outcomes.handled(message);
      if (!committed) {
        message.lease.startOver();
        message.startOver();
      }
    }
  }

  BatchPlan<M> plan(List<InFlightMessage<M>> messages, List<ClaimAnswer> answers) {
    return new BatchPlan<>(messages, answers, failures::barred);
  }

  void committed(BatchPlan<M> plan) {
    plan.running().forEach(failures::reportAge);
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
        Failures.Decision decision = decision(new ClaimedMessage<>(message, acquired), failure);
        settler.settleNow(message, acquired.claim(), decision.verdict(), decision.outcome());
      } else {
        unacquired.finish(message, answer);
      }
    } catch (RuntimeException unanswered) { // the checked store has reported it
      outcomes.finish(message, Deferrals.storeUnavailable(unanswered));
    }
  }

  /** Decides the settlement; a message that is not barred any more is redelivered. */
  private Failures.Decision decision(ClaimedMessage<M> claimed, Optional<Throwable> failure) {
    if (failure.isPresent() && failures.exhausted(claimed)) {
      String detail = Descriptions.of(failure.get());
      return failures.bury(claimed, Kind.ATTEMPTS_EXHAUSTED, detail, false, failure);
    }
    return failure
        .map(it -> failures.decide(claimed, FailedCall.rolledBack(it)))
        .or(() -> failures.withoutRunning(claimed))
        .orElseGet(() -> new Failures.Decision(new Verdict.Release(), BlockedLanes.SHORTLY));
  }

  void defer(InFlightMessage<M> message, Outcome deferral) {
    outcomes.finish(message, deferral);
  }
}
