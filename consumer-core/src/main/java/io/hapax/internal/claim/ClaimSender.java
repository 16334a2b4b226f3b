package io.hapax.internal.claim;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Environment;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Sends claims to the store in groups. Attempts that arrive while calls are in flight go with the
 * next call. An attempt that has failed is sent alone from then on, so that a claim that the store
 * never accepts does not block the others.
 */
public final class ClaimSender<M> {

  private static final int LARGEST_GROUP = 500;

  /** More than one, so that a slow or hanging call does not block all claims. */
  private static final int CALLS_AT_ONCE = 2;

  private final ClaimCall call;
  private final Duration lease;
  private final Events events;
  private final Outcomes<M> outcomes;
  private final Environment env;

  /** The attempts of the next call. This object's lock guards the queue and the call count. */
  private final Queue<ClaimAttempt<M>> queue = new ArrayDeque<>();

  private int calls;

  /** Allocated once: after an OutOfMemoryError no thread would drain the queue any more. */
  private final Runnable callAll = this::callAll;

  public ClaimSender(
      ClaimCall call, Duration lease, Events events, Outcomes<M> outcomes, Environment env) {
    this.call = call;
    this.lease = lease;
    this.events = events;
    this.outcomes = outcomes;
    this.env = env;
  }

  /** Sends the claims of an attempt, now or with the next free call. */
  void send(ClaimAttempt<M> attempt) {
    if (attempt.tried()) {
      send(List.of(attempt));
    } else if (hasCallFor(attempt)) {
      callOnce();
    }
  }

  /**
   * Sends the claims of a new attempt on another thread, so that the submitting thread does not
   * wait for the store.
   */
  void sendElsewhere(ClaimAttempt<M> attempt) {
    if (hasCallFor(attempt)) {
      env.threads().call(callAll);
    }
  }

  /** Queues an attempt; returns true if the caller has to make a call. */
  private synchronized boolean hasCallFor(ClaimAttempt<M> attempt) {
    queue.addAll(List.of(attempt)); // grows before it adds, whereas add(..) grows afterwards
    boolean free = calls < CALLS_AT_ONCE;
    calls += free ? 1 : 0;
    return free;
  }

  /**
   * Makes one call. Another task makes the calls after it, so that this caller can continue with
   * its own work.
   */
  private void callOnce() {
    try {
      send(next());
    } catch (OutOfMemoryError e) {
      // The attempts are still in the queue.
    } finally {
      if (isNeeded()) {
        env.threads().call(callAll);
      }
    }
  }

  /** Makes call after call on this thread, which saves waking another thread for each. */
  private void callAll() {
    boolean needed = true;
    while (needed) {
      boolean made = false;
      try {
        send(next());
        made = true;
      } finally {
        needed = isNeeded();
        if (needed && !made) {
          env.threads().call(callAll);
        }
      }
    }
  }

  /** Returns the attempts of the next call. After an error all attempts remain in the queue. */
  private synchronized List<ClaimAttempt<M>> next() {
    List<ClaimAttempt<M>> group = new ArrayList<>();
    int size = 0;
    for (ClaimAttempt<M> attempt : queue) {
      size += attempt.size();
      if (!group.isEmpty() && size > LARGEST_GROUP) {
        break;
      }
      group.add(attempt);
    }
    for (int i = 0; i < group.size(); i++) {
      queue.remove();
    }
    return group;
  }

  /** Returns whether the caller has to make another call; if not, its call becomes free. */
  private synchronized boolean isNeeded() {
    boolean needed = !queue.isEmpty();
    calls -= needed ? 0 : 1;
    return needed;
  }

  /** Sends without throwing. Loops without an iterator, because memory may be used up. */
  private void send(List<ClaimAttempt<M>> attempts) {
    List<ClaimAttempt<M>> group;
    try {
      group = new ArrayList<>(attempts.size());
    } catch (OutOfMemoryError e) {
      broke(attempts, e);
      return;
    }
    for (int i = 0; i < attempts.size(); i++) {
      attempts.get(i).joinGuarded(group);
    }
    if (!group.isEmpty()) {
      call(group);
    }
  }

  private void call(List<ClaimAttempt<M>> group) {
    Set<InFlightMessage<M>> unanswered;
    try {
      unanswered = claim(itemsOf(group));
    } catch (RuntimeException
        | Error e) { // for example an OutOfMemoryError; it defers the group's messages
      broke(group, e);
      return;
    }
    for (int i = 0; i < group.size(); i++) {
      group.get(i).continueGuarded(unanswered);
    }
  }

  private static <M> void broke(List<ClaimAttempt<M>> attempts, Throwable error) {
    for (int i = 0; i < attempts.size(); i++) {
      attempts.get(i).broke(error);
    }
  }

  /** Returns the messages of a group; most groups have one attempt. */
  private static <M> List<InFlightMessage<M>> itemsOf(List<ClaimAttempt<M>> group) {
    return group.size() == 1
        ? group.get(0).items()
        : group.stream().flatMap(attempt -> attempt.items().stream()).toList();
  }

  /**
   * Claims the messages; returns those that the store has not answered, after a failed call all.
   */
  private Set<InFlightMessage<M>> claim(List<InFlightMessage<M>> messages) {
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
