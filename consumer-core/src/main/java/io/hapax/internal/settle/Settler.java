package io.hapax.internal.settle;

import io.hapax.StoreBypass;
import io.hapax.adapter.Outcome;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.DoneCache;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.store.CheckedStore;
import io.hapax.internal.store.GroupQueue;
import io.hapax.internal.store.OutageDetector;
import io.hapax.internal.store.UnclaimedRun;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends verdicts to the store in groups: whatever came in while the previous call was under way
 * goes with the next, and so does what ended together. What failed is sent again for as long as it
 * takes; only then do its messages get their outcome.
 */
public final class Settler<M> {

  private static final int LARGEST_GROUP = 500;
  private static final int TRIES_AS_A_GROUP = 5;

  private final GroupQueue<PendingSettlement<M>> queue = new GroupQueue<>(LARGEST_GROUP);
  private final CheckedStore store;
  private final OutageDetector outage;
  private final Environment env;
  private final Events events;
  private final Outcomes<M> outcomes;
  private final DoneCache doneCache;
  private final Backoff backoff;

  // Allocated once: where memory is used up, the queue would be left to no thread.
  private final Runnable drainOnce = this::drainOnce;
  private final Runnable drain = this::drain;

  public Settler(
      CheckedStore store,
      OutageDetector outage,
      Environment env,
      Events events,
      Outcomes<M> outcomes,
      DoneCache doneCache) {
    this.store = store;
    this.outage = outage;
    this.env = env;
    this.events = events;
    this.outcomes = outcomes;
    this.doneCache = doneCache;
    this.backoff = Backoff.ofStoreCalls(env.random());
  }

  /** Settles an item's claim, if it has one, and then gives it its outcome. */
  public void settle(InFlightMessage<M> item, Verdict verdict, Outcome outcome) {
    settle(List.of(new PendingSettlement<>(item, verdict, outcome)));
  }

  /** The same for claims that end together, which go to the store together. */
  public void settle(List<PendingSettlement<M>> together) {
    List<PendingSettlement<M>> claimed = new ArrayList<>(together.size());
    boolean queued = false;
    try {
      for (PendingSettlement<M> entry : together) {
        if (UnclaimedRun.is(entry.claim())) {
          outcomes.finish(entry.item(), entry.outcome());
        } else {
          claimed.add(entry); // first: if an error comes after this, it is taken back
          entry.item().settling();
        }
      }
      queue(claimed);
      queued = true;
    } finally {
      for (int i = 0; !queued && i < claimed.size(); i++) {
        claimed.get(i).item().notSettling();
      }
    }
  }

  private void queue(List<PendingSettlement<M>> entries) {
    if (!entries.isEmpty() && queue.add(entries)) {
      env.threads().call(drain);
    }
  }

  /** An error costs a pause: without this thread nothing would be settled any more. */
  private void drain() {
    env.threads().untilItSucceeds(drainOnce);
  }

  private void drainOnce() {
    List<PendingSettlement<M>> group = queue.next();
    if (!group.isEmpty()) {
      sendOrPutBack(group, 1);
    }
  }

  private void sendAgain(List<PendingSettlement<M>> group, int tries) {
    try {
      sendOrPutBack(group, tries);
    } catch (RuntimeException | Error e) {
      drain();
    }
  }

  /** Puts the group back if an error ends the call: the same nonces get the same answers. */
  private void sendOrPutBack(List<PendingSettlement<M>> group, int tries) {
    try {
      send(group, tries);
    } catch (RuntimeException | Error e) {
      putBack(group);
      events.broke("settling " + group.size() + " messages", e);
      throw e;
    }
  }

  /** Needs no memory unless the queue has to grow. */
  private void putBack(List<PendingSettlement<M>> group) {
    while (true) {
      try {
        queue.putBack(group);
        return;
      } catch (OutOfMemoryError e) {
        if (!env.threads().pauseForMemory()) {
          return;
        }
      }
    }
  }

  private void send(List<PendingSettlement<M>> group, int tries) {
    long sent = env.nanos();
    try {
      List<Settlement> settlements = group.stream()
          .map(entry -> new Settlement(entry.claim(), entry.verdict()))
          .toList();
      int season = doneCache.season();
      List<SettleAnswer> answers = store.settle(settlements, i -> group.get(i).writes());
      if (answers.stream().anyMatch(SettleAnswer.Settled.class::isInstance)) {
        events.progressed();
      }
      for (int i = 0; i < group.size(); i++) {
        take(group.get(i), answers.get(i), sent, season);
      }
    } catch (RuntimeException | Error e) { // a store that failed is reported already
      List<PendingSettlement<M>> failed =
          group.stream().map(it -> it.failed(outage, sent)).toList();
      failed.forEach(this::goOnWithout);
      queue.waiting().forEach(this::goOnWithout);
      failed(failed, tries);
      return;
    }
    env.threads().call(drain);
  }

  /**
   * Sends the group again after a pause. One that fails again and again is taken apart, so that a
   * settlement that the store will never take does not hold the others back.
   */
  private void failed(List<PendingSettlement<M>> group, int tries) {
    if (tries < TRIES_AS_A_GROUP) {
      again(group, tries + 1, backoff.after(tries));
      return;
    }
    int half = (group.size() + 1) / 2;
    queue.putBack(group.subList(half, group.size()));
    if (group.size() > 1 || queue.isEmpty()) {
      again(group.subList(0, half), 1, backoff.after(tries));
    } else {
      queueLater(group.get(0), tries);
      env.threads().call(drain);
    }
  }

  private void again(List<PendingSettlement<M>> group, int tries, Duration pause) {
    env.threads().callLater(() -> sendAgain(group, tries), pause.toMillis());
  }

  /** Lets the others go before it. */
  private void queueLater(PendingSettlement<M> entry, int tries) {
    env.threads().callLater(() -> queue(List.of(entry)), backoff.after(tries).toMillis());
  }

  private void take(PendingSettlement<M> entry, SettleAnswer answer, long sent, int season) {
    if (answer instanceof SettleAnswer.Settled settled) {
      settled(entry, settled, season);
    } else if (answer instanceof SettleAnswer.Fenced) {
      fenced(entry);
    } else {
      PendingSettlement<M> failed = entry.failed(outage, sent);
      goOnWithout(failed);
      queueLater(failed, TRIES_AS_A_GROUP);
    }
  }

  private void settled(PendingSettlement<M> entry, SettleAnswer.Settled settled, int season) {
    InFlightMessage<M> item = entry.item();
    events.settled(settled, entry.claim());
    if (entry.verdict() instanceof Verdict.Done done) {
      doneCache.done(item.requiredKey(), item.fingerprint, done.result(), season);
    }
    outcomes.finish(item, entry.outcome());
  }

  private void fenced(PendingSettlement<M> entry) {
    InFlightMessage<M> item = entry.item();
    if (item.lease.fence()) {
      events.fenced(item.requiredKey(), entry.claim().token());
    }
    Outcome outcome = entry.outcome();
    outcomes.finish(item, outcome.mayAcknowledge() ? Deferrals.FENCED : outcome);
  }

  /** When nobody waits for the store any more the message goes on; its verdict is sent on, too. */
  private void goOnWithout(PendingSettlement<M> entry) {
    if (!outage.over(entry.absence()) || !entry.item().unfinished()) {
      return;
    }
    Outcome outcome = entry.outcome();
    if (outcome.mayAcknowledge()) {
      events.bypassed(entry.item().requiredKey(), StoreBypass.NOT_SETTLED);
    }
    outcomes.finish(
        entry.item(),
        outcome instanceof Outcome.Executed executed
            ? new Outcome.Unprotected(executed.result())
            : outcome);
  }
}
