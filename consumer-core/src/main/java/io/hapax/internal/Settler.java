package io.hapax.internal;

import io.hapax.Outcome;
import io.hapax.StoreBypass;
import io.hapax.mark.Claim;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends verdicts to the store in groups: whatever came in while the previous call was under way
 * goes with the next. What failed is sent again for as long as it takes; only then do its messages
 * get their outcome.
 */
final class Settler<M> {

  private static final int LARGEST_GROUP = 500;
  private static final int TRIES_AS_A_GROUP = 5;

  /** The absence is that of the store, as its own calls have found it. */
  private record Entry<M>(Item<M> item, Verdict verdict, Outcome outcome, Absence absence) {
    Claim claim() {
      return item.claim();
    }
    /**
     * Whether a store that settles it has written: it need not if it had executed it before, or has
     * lost the mark of what is released.
     */
    boolean writes() {
      return !absence.begun() && !(verdict instanceof Verdict.Release);
    }


    Entry<M> failed(Outage<M> outage, long sentNanos) {
      return new Entry<>(item, verdict, outcome, outage.longer(absence, sentNanos));
    }
  }

  private final Queue<Entry<M>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean busy = new AtomicBoolean();
  private final Engine<M> engine;
  private final DedupStore store;
  private final Backoff backoff;

  Settler(Engine<M> engine, DedupStore store) {
    this.engine = engine;
    this.store = store;
    this.backoff = Backoff.ofStoreCalls(engine.dice());
  }

  /** Settles an item's claim, if it has one, and then gives it its outcome. */
  void settle(Item<M> item, Verdict verdict, Outcome outcome) {
    if (Unprotected.is(item.claim())) {
      engine.outcomes().finish(item, outcome);
      return;
    }
    item.settling();
    queue.add(new Entry<>(item, verdict, outcome, Absence.NONE));
    wake();
  }

  private void wake() {
    if (busy.compareAndSet(false, true)) {
      engine.threads().call(this::drain);
    }
  }

  private void drain() {
    List<Entry<M>> group = new ArrayList<>();
    for (Entry<M> next = queue.poll(); next != null; next = queue.poll()) {
      group.add(next);
      if (group.size() == LARGEST_GROUP || queue.peek() == null) {
        send(group, 1);
        return;
      }
    }
    busy.set(false);
    if (!queue.isEmpty()) {
      wake();
    }
  }

  private void send(List<Entry<M>> group, int tries) {
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
      List<Entry<M>> failed =
          group.stream().map(it -> it.failed(engine.outage(), sent)).toList();
      failed.forEach(this::goOnWithout);
      queue.forEach(this::goOnWithout);
      failed(failed, tries);
      return;
    }
    engine.threads().call(this::drain);
  }

  /**
   * Sends the group again after a pause. One that fails again and again is taken apart, so that a
   * settlement that the store will never take does not hold the others back.
   */
  private void failed(List<Entry<M>> group, int tries) {
    if (tries < TRIES_AS_A_GROUP) {
      again(group, tries + 1, backoff.after(tries));
      return;
    }
    int half = (group.size() + 1) / 2;
    queue.addAll(group.subList(half, group.size()));
    if (group.size() > 1 || queue.isEmpty()) {
      again(group.subList(0, half), 1, backoff.after(tries));
    } else {
      queueLater(group.get(0), tries);
      engine.threads().call(this::drain);
    }
  }

  private static <M> boolean anyKept(List<Entry<M>> group, List<SettleAnswer> answers) {
    for (int i = 0; i < group.size(); i++) {
      if (group.get(i).writes() && answers.get(i) instanceof SettleAnswer.Settled) {
        return true;
      }
    }
    return false;
  }

  private void again(List<Entry<M>> group, int tries, Duration pause) {
    engine.threads().callLater(() -> send(group, tries), pause.toMillis());
  }

  /** Lets the others go before it. */
  private void queueLater(Entry<M> entry, int tries) {
    engine
        .threads()
        .callLater(
            () -> {
              queue.add(entry);
              wake();
            },
            backoff.after(tries).toMillis());
  }

  private void take(Entry<M> entry, SettleAnswer answer, long sent, int season) {
    var unused = answer.match(
        settled -> {
          engine.events().settled(settled, entry.claim());
          if (entry.verdict() instanceof Verdict.Done done) {
            Item<M> item = entry.item();
            engine.doneCache().done(item.requiredKey(), item.fingerprint, done.result(), season);
          }
          engine.outcomes().finish(entry.item(), entry.outcome());
          return true;
        },
        fenced -> {
          if (entry.item().lease.fence()) {
            engine.events().fenced(entry.item().requiredKey(), entry.claim().token());
          }
          engine
              .outcomes()
              .finish(
                  entry.item(),
                  entry.outcome().mayAcknowledge() ? Deferrals.FENCED : entry.outcome());
          return true;
        },
        unavailable -> {
          Entry<M> failed = entry.failed(engine.outage(), sent);
          goOnWithout(failed);
          queueLater(failed, TRIES_AS_A_GROUP);
          return false;
        });
  }

  /** When nobody waits for the store any more the message goes on; its verdict is sent on, too. */
  private void goOnWithout(Entry<M> entry) {
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
