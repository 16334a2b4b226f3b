package io.hapax.internal.claim;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.internal.store.StoreQueue;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import java.time.Duration;
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
  private final GenerationWatch generation;
  private final Events events;
  private final Outcomes<M> outcomes;
  private final Tasks<M> tasks;
  private final Environment env;
  private final StoreQueue<ClaimAttempt> queue;

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
    this.queue = new StoreQueue<>(CALLS_AT_ONCE, attempt -> attempt.open.size(), this::send, env);
  }

  /**
   * Claims the messages, without a call to the store on this thread.
   *
   * @param answered runs whenever more may be answered or given up, on one thread at a time
   */
  public void claim(List<InFlightMessage<M>> messages, Runnable answered) {
    attempt(messages, false, answered).send();
  }

  /** Claims one suspect in an attempt of its own; the call to the store may have other claims. */
  public void claimSolo(InFlightMessage<M> message, Runnable answered) {
    attempt(List.of(message), true, answered).send();
  }

  private ClaimAttempt attempt(List<InFlightMessage<M>> messages, boolean solo, Runnable answered) {
    ClaimTerms terms = call.terms(solo);
    List<ClaimRequest> requests =
        messages.stream().map(message -> call.request(message, terms)).toList();
    ClaimAttempt attempt = new ClaimAttempt(messages, answered);
    for (int i = 0; i < requests.size(); i++) { // last: a message that asks waits for its answer
      messages.get(i).ask(requests.get(i));
    }
    return attempt;
  }

  private boolean send(List<ClaimAttempt> attempts) {
    List<ClaimAttempt> group = new ArrayList<>(attempts.size());
    attempts.forEach(attempt -> attempt.join(group));
    if (!group.isEmpty()) {
      Set<InFlightMessage<M>> unanswered = claim(messagesOf(group));
      group.forEach(attempt -> attempt.resume(unanswered));
    }
    return true;
  }

  private List<InFlightMessage<M>> messagesOf(List<ClaimAttempt> group) {
    return group.size() == 1
        ? group.get(0).open
        : group.stream().flatMap(attempt -> attempt.open.stream()).toList();
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

  /**
   * Repeats the claims of some messages until each is answered or given up. Used by one thread at a
   * time. An unexpected exception is limited to its messages: no method throws one.
   */
  private final class ClaimAttempt {

    private final Backoff backoff;
    private final Runnable answered;

    private final GenerationWatch.Check fresh;

    /** The messages that are not answered yet. */
    private final List<InFlightMessage<M>> open;

    private int tries;

    /** The action runs after each call, and whenever messages are given up. */
    ClaimAttempt(List<InFlightMessage<M>> messages, Runnable answered) {
      this.backoff = Backoff.ofStoreCalls(env.random());
      this.open = new ArrayList<>(messages);
      this.answered = answered;
      this.fresh = generation.check();
    }

    /** Sends the claims with the next free call; from the second one on alone, on this thread. */
    void send() {
      try {
        if (open.isEmpty()) {
          answered.run();
        } else if (tries > 0) {
          var unused = Claims.this.send(List.of(this));
        } else {
          queue.send(List.of(this));
        }
      } catch (RuntimeException e) {
        broke(e);
      }
    }

    /** Joins the group of the next call, unless no claim is needed or may be sent now. */
    void join(List<ClaimAttempt> group) {
      try {
        giveUpUnwanted();
        if (open.isEmpty()) {
          answered.run();
        } else if (fresh.seen()) {
          tries++;
          group.add(this);
        } else {
          sendLater(GenerationWatch.Check.PAUSE);
        }
      } catch (RuntimeException e) {
        broke(e);
      }
    }

    private void giveUpUnwanted() {
      boolean moved = generation.moved() || env.failStop().stopped();
      open.stream()
          .filter(message -> moved || message.submission.abandoned())
          .forEach(message -> outcomes.finish(message, Deferrals.ABANDONED));
      open.removeIf(message -> !message.asking());
    }

    void resume(Set<InFlightMessage<M>> unanswered) {
      try {
        boolean failed = open.stream().anyMatch(unanswered::contains);
        open.removeIf(message -> !message.asking());
        answered.run();
        if (!open.isEmpty()) {
          sendLater(failed || tries > 3 ? backoff.after(tries) : Duration.ZERO);
        }
      } catch (RuntimeException e) {
        broke(e);
      }
    }

    private void sendLater(Duration pause) {
      env.callLater(this::send, pause);
    }

    /**
     * Ends the attempt after an unexpected exception. Its lanes continue as after any deferred
     * message. Messages that have started are not affected.
     */
    private void broke(RuntimeException thrown) {
      Outcome.Deferred broken = tasks.broke(thrown);
      open.stream()
          .filter(InFlightMessage::asking)
          .forEach(message -> outcomes.finish(message, broken));
      answered.run();
    }
  }
}
