package io.hapax.internal.settle;

import io.hapax.adapter.Outcome;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.CheckedStore;
import io.hapax.internal.store.StoreQueue;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.List;

/**
 * Sends settlements to the store in groups. Settlements that arrive while a call is in flight go
 * with the next group. A failed settlement is retried until the store answers; only then does its
 * message get its outcome.
 */
public final class Settler<M> {

  private static final int GROUP_TRIES = 5;

  private final StoreQueue<Pending<M>> queue;
  private final CheckedStore store;
  private final Environment env;
  private final Events events;
  private final Outcomes<M> outcomes;
  private final Backoff backoff;

  public Settler(CheckedStore store, Environment env, Events events, Outcomes<M> outcomes) {
    this.store = store;
    this.env = env;
    this.events = events;
    this.outcomes = outcomes;
    this.backoff = Backoff.ofStoreCalls(env.random());
    this.queue = new StoreQueue<>(1, entry -> 1, group -> send(group, 1), env);
  }

  public void settle(InFlightMessage<M> message, Verdict verdict, Outcome outcome) {
    settle(List.of(new Pending<>(message, verdict, outcome)));
  }

  public void settle(List<Pending<M>> together) {
    together.forEach(entry -> entry.message().settling());
    queue.send(together);
  }

  /** Sends a group; returns whether its call has ended, which it has not if it is sent again. */
  private boolean send(List<Pending<M>> group, int tries) {
    try {
      List<Settlement> settlements = group.stream()
          .map(entry -> new Settlement(entry.claim(), entry.verdict()))
          .toList();
      List<SettleAnswer> answers = store.settle(settlements);
      for (int i = 0; i < group.size(); i++) {
        take(group.get(i), answers.get(i));
      }
      return true;
    } catch (RuntimeException e) { // the checked store has reported the failure
      return env.failStop().stopped() || retry(group, tries);
    }
  }

  /**
   * Sends the group again after a pause. A group that fails repeatedly is split, so that a
   * settlement that the store never accepts does not block the others.
   */
  private boolean retry(List<Pending<M>> group, int tries) {
    if (tries < GROUP_TRIES) {
      sendLater(group, tries + 1, backoff.after(tries));
      return false;
    }
    int half = (group.size() + 1) / 2;
    queue.putBack(group.subList(half, group.size()));
    if (group.size() > 1 || queue.isEmpty()) {
      sendLater(group.subList(0, half), 1, backoff.after(tries));
      return false;
    }
    queueLater(group.get(0), tries);
    return true;
  }

  private void sendLater(List<Pending<M>> group, int tries, Duration pause) {
    env.callLater(() -> sendAgain(group, tries), pause);
  }

  private void sendAgain(List<Pending<M>> group, int tries) {
    if (send(group, tries)) {
      queue.resume();
    }
  }

  private void queueLater(Pending<M> entry, int tries) {
    List<Pending<M>> alone = List.of(entry);
    env.callLater(() -> queue.send(alone), backoff.after(tries));
  }

  private void take(Pending<M> entry, SettleAnswer answer) {
    if (answer instanceof SettleAnswer.Unavailable) {
      queueLater(entry, GROUP_TRIES);
    } else {
      var unused = finish(entry.message(), entry.claim(), answer, entry.outcome());
    }
  }

  /**
   * Finishes a message by the store's answer to the settlement of its claim; returns its outcome.
   * Without an accepted settlement no message is acknowledged.
   */
  public Outcome finish(
      InFlightMessage<M> message, Claim claim, SettleAnswer answer, Outcome planned) {
    boolean settled = answer instanceof SettleAnswer.Settled;
    if (answer instanceof SettleAnswer.Settled it) {
      events.settled(it, claim);
    } else if (answer instanceof SettleAnswer.Fenced && message.lease.fence()) {
      events.fenced(claim);
    }
    Outcome outcome = settled || !planned.mayAcknowledge() ? planned : Deferrals.FENCED;
    outcomes.finish(message, outcome);
    return outcome;
  }

  /** Settles a claim that its message does not have, on this thread; throws if that fails. */
  public void settleNow(InFlightMessage<M> message, Claim claim, Verdict verdict, Outcome outcome) {
    SettleAnswer answer = store.settle(List.of(new Settlement(claim, verdict))).get(0);
    var unused = finish(message, claim, answer, outcome);
  }

  /** Finishes messages that have run in a transaction, which has committed their DONE marks. */
  public void committed(List<ClaimedMessage<M>> messages) {
    if (!messages.isEmpty()) {
      events.progressed();
    }
    for (ClaimedMessage<M> it : messages) {
      events.recovered(it.message().requiredKey(), it.acquired());
      outcomes.finish(it.message(), Results.executed(it.acquired(), Bytes.EMPTY));
    }
  }

  /** A settlement that the store has not accepted yet; the message gets the outcome after it. */
  public record Pending<M>(InFlightMessage<M> message, Verdict verdict, Outcome outcome) {

    Claim claim() {
      return message.claim();
    }
  }
}
