package io.hapax.internal.claim;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.internal.store.StoreQueue;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Claims messages in groups, and takes the store's answers. An attempt that has failed is sent
 * alone from then on, so that a claim that the store never accepts does not block the others.
 */
public final class Claims<M> {

  /** More than one, so that a slow or hanging call does not block all claims. */
  private static final int CALLS_AT_ONCE = 2;

  private final ClaimCall call;
  final GenerationWatch generation;
  private final Events events;
  final Outcomes<M> outcomes;
  final Tasks<M> tasks;
  final Environment env;
  private final StoreQueue<ClaimAttempt<M>> queue;

  public Claims(
      ClaimCall call,
      GenerationWatch generation,
      Events events,
      Outcomes<M> outcomes,
      Tasks<M> tasks,
      Environment env) {
    this.call = call;
    this.generation = generation;
    this.events = events;
    this.outcomes = outcomes;
    this.tasks = tasks;
    this.env = env;
    this.queue = new StoreQueue<>(CALLS_AT_ONCE, ClaimAttempt::size, this::send, env.threads());
  }

  /** The action runs whenever more are answered or given up, on one thread at a time. */
  public void claim(List<InFlightMessage<M>> messages, Runnable answered) {
    attempt(messages, false, answered).send(false);
  }

  /** Claims the messages without a call to the store on the caller's thread. */
  public void claimElsewhere(List<InFlightMessage<M>> messages, Runnable answered) {
    attempt(messages, false, answered).send(true);
  }

  /**
   * Claims one suspect in an attempt of its own; the call to the store may contain other claims.
   *
   * @param answered runs when it may be answered or given up, on one thread at a time
   */
  public void claimSolo(InFlightMessage<M> message, Runnable answered) {
    attempt(List.of(message), true, answered).send(false);
  }

  private ClaimAttempt<M> attempt(
      List<InFlightMessage<M>> messages, boolean solo, Runnable answered) {
    ClaimTerms terms = call.terms(solo);
    List<ClaimRequest> requests =
        messages.stream().map(message -> call.request(message, terms)).toList();
    ClaimAttempt<M> attempt = new ClaimAttempt<>(this, messages, answered);
    for (int i = 0; i < requests.size(); i++) { // last: a message that asks waits for its answer
      messages.get(i).ask(requests.get(i));
    }
    return attempt;
  }

  /** Sends the claims of an attempt, now or with the next free call. */
  void send(ClaimAttempt<M> attempt, boolean elsewhere) {
    if (attempt.tried()) {
      var unused = send(List.of(attempt));
    } else if (elsewhere) {
      queue.sendElsewhere(List.of(attempt));
    } else {
      queue.send(attempt);
    }
  }

  private boolean send(List<ClaimAttempt<M>> attempts) {
    List<ClaimAttempt<M>> group = new ArrayList<>(attempts.size());
    attempts.forEach(attempt -> attempt.join(group));
    if (!group.isEmpty()) {
      Set<InFlightMessage<M>> unanswered = claim(messagesOf(group));
      group.forEach(attempt -> attempt.resume(unanswered));
    }
    return true;
  }

  /** Returns the messages of a group; most groups have one attempt. */
  private static <M> List<InFlightMessage<M>> messagesOf(List<ClaimAttempt<M>> group) {
    return group.size() == 1
        ? group.get(0).messages()
        : group.stream().flatMap(attempt -> attempt.messages().stream()).toList();
  }

  /**
   * Claims the messages; returns those that the store has not answered, after a failed call all.
   */
  private Set<InFlightMessage<M>> claim(List<InFlightMessage<M>> messages) {
    ClaimCall.Answers reply;
    try {
      reply = call.send(messages);
    } catch (RuntimeException e) { // the checked store has reported it
      return new HashSet<>(messages);
    }
    try {
      return take(messages, reply);
    } catch (RuntimeException e) {
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
        accept(message, answer, reply.leaseEndNanos());
      }
    }
    return unanswered;
  }

  private void accept(InFlightMessage<M> message, ClaimAnswer answer, long leaseEndNanos) {
    if (answer instanceof Acquired acquired) {
      events.recovered(message.requiredKey(), acquired);
    }
    InFlightMessage.GivenUp todo = message.answered(answer, leaseEndNanos);
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
