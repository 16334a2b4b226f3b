package io.hapax.internal.settle;

import io.hapax.StoreBypass;
import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.store.GroupQueue;
import io.hapax.internal.store.Replies;
import io.hapax.internal.store.UnclaimedRun;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
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
  private final Engine<M> engine;
  private final DedupStore store;
  private final Backoff backoff;

  // Allocated once: where memory is used up, the queue would be left to no thread.
  private final Runnable drainOnce = this::drainOnce;
  private final Runnable drain = this::drain;

  public Settler(Engine<M> engine, DedupStore store) {
    this.engine = engine;
    this.store = store;
    this.backoff = Backoff.ofStoreCalls(engine.dice());
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
          engine.outcomes().finish(entry.item(), entry.outcome());
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
      engine.threads().call(drain);
    }
  }

  /** An error costs a pause: without this thread nothing would be settled any more. */
  private void drain() {
    engine.tasks().untilItSucceeds(drainOnce);
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
      engine.events().broke("settling " + group.size() + " messages", e);
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
        if (!engine.tasks().pause()) {
          return;
        }
      }
    }
  }

  private void send(List<PendingSettlement<M>> group, int tries) {
    long sent = engine.nanos();
    try {
      List<Settlement> settlements = group.stream()
          .map(entry -> new Settlement(entry.claim(), entry.verdict()))
          .toList();
      int season = engine.doneCache().season();
      List<SettleAnswer> answers =
          Replies.complete("settle", group.size(), store.settle(settlements));
      engine.events().storeAnswered();
      if (answers.stream().anyMatch(SettleAnswer.Settled.class::isInstance)) {
        engine.lastSettled().now();
      }
      engine
          .outage()
          .answered(answers, SettleAnswer.Unavailable.class, anyKept(group, answers), sent);
      for (int i = 0; i < group.size(); i++) {
        take(group.get(i), answers.get(i), sent, season);
      }
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("settle", e);
      engine.outage().failed(sent);
      List<PendingSettlement<M>> failed =
          group.stream().map(it -> it.failed(engine.outage(), sent)).toList();
      failed.forEach(this::goOnWithout);
      queue.waiting().forEach(this::goOnWithout);
      failed(failed, tries);
      return;
    }
    engine.threads().call(drain);
  }

  private static <M> boolean anyKept(List<PendingSettlement<M>> group, List<SettleAnswer> answers) {
    for (int i = 0; i < group.size(); i++) {
      if (group.get(i).writes() && answers.get(i) instanceof SettleAnswer.Settled) {
        return true;
      }
    }
    return false;
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
      engine.threads().call(drain);
    }
  }

  private void again(List<PendingSettlement<M>> group, int tries, Duration pause) {
    engine.threads().callLater(() -> sendAgain(group, tries), pause.toMillis());
  }

  /** Lets the others go before it. */
  private void queueLater(PendingSettlement<M> entry, int tries) {
    engine.threads().callLater(() -> queue(List.of(entry)), backoff.after(tries).toMillis());
  }

  private void take(PendingSettlement<M> entry, SettleAnswer answer, long sent, int season) {
    if (answer instanceof SettleAnswer.Settled settled) {
      settled(entry, settled, season);
    } else if (answer instanceof SettleAnswer.Fenced) {
      fenced(entry);
    } else {
      PendingSettlement<M> failed = entry.failed(engine.outage(), sent);
      goOnWithout(failed);
      queueLater(failed, TRIES_AS_A_GROUP);
    }
  }

  private void settled(PendingSettlement<M> entry, SettleAnswer.Settled settled, int season) {
    InFlightMessage<M> item = entry.item();
    engine.events().settled(settled, entry.claim());
    if (entry.verdict() instanceof Verdict.Done done) {
      engine.doneCache().done(item.requiredKey(), item.fingerprint, done.result(), season);
    }
    engine.outcomes().finish(item, entry.outcome());
  }

  private void fenced(PendingSettlement<M> entry) {
    InFlightMessage<M> item = entry.item();
    if (item.lease.fence()) {
      engine.events().fenced(item.requiredKey(), entry.claim().token());
    }
    Outcome outcome = entry.outcome();
    engine.outcomes().finish(item, outcome.mayAcknowledge() ? Deferrals.FENCED : outcome);
  }

  /** When nobody waits for the store any more the message goes on; its verdict is sent on, too. */
  private void goOnWithout(PendingSettlement<M> entry) {
    if (!engine.outage().over(entry.absence()) || !entry.item().unfinished()) {
      return;
    }
    Outcome outcome = entry.outcome();
    if (outcome.mayAcknowledge()) {
      engine.events().bypassed(entry.item().requiredKey(), StoreBypass.NOT_SETTLED);
    }
    engine
        .outcomes()
        .finish(
            entry.item(),
            outcome instanceof Outcome.Executed executed
                ? new Outcome.Unprotected(executed.result())
                : outcome);
  }
}
