package io.hapax.internal.claim;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Claims messages in one call, and passes each answer to its message. */
public final class ClaimAnswers<M> {

  private final ClaimCall call;
  private final Duration lease;
  private final Events events;
  private final Outcomes<M> outcomes;

  public ClaimAnswers(ClaimCall call, Duration lease, Events events, Outcomes<M> outcomes) {
    this.call = call;
    this.lease = lease;
    this.events = events;
    this.outcomes = outcomes;
  }

  /**
   * Claims the messages; after a failed call none of them has an answer.
   *
   * @return the messages that the store has not answered
   */
  Set<InFlightMessage<M>> claim(List<InFlightMessage<M>> messages) {
    ClaimCall.Answers reply;
    try {
      reply = call.send(messages);
    } catch (RuntimeException | Error e) { // the checked store has reported it
      return new HashSet<>(messages);
    }
    try {
      return take(messages, reply);
    } catch (RuntimeException | Error e) {
      events.internalError("taking the answers to claims", e);
      return new HashSet<>(messages);
    }
  }

  private Set<InFlightMessage<M>> take(List<InFlightMessage<M>> messages, ClaimCall.Answers reply) {
    Set<InFlightMessage<M>> unanswered = new HashSet<>();
    for (int i = 0; i < messages.size(); i++) {
      InFlightMessage<M> message = messages.get(i);
      ClaimAnswer answer = reply.answers().get(i);
      if (answer instanceof ClaimAnswer.Unavailable) {
        unanswered.add(message);
      } else if (answer instanceof ClaimAnswer.TooLate late) {
        call.askAnew(message, late, reply.sentNanos());
      } else {
        accept(message, answer, reply.sentNanos());
      }
    }
    return unanswered;
  }

  private void accept(InFlightMessage<M> message, ClaimAnswer answer, long sent) {
    if (answer instanceof Acquired acquired) {
      events.recovered(message.requiredKey(), acquired);
    }
    InFlightMessage.GivenUp todo = message.answered(answer, sent + lease.toNanos());
    if (answer instanceof ClaimAnswer.Done done) {
      events.notifyListeners(it -> it.onDuplicate(message.requiredKey(), done.doneAt()));
      outcomes.finish(message, new Outcome.Duplicate(done.result()));
    } else if (answer instanceof ClaimAnswer.Dead dead) {
      outcomes.finish(message, new Outcome.DeadLettered(dead.reason()));
    } else {
      outcomes.carryOut(message, todo);
    }
  }
}
