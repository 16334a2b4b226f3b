package io.hapax.internal;

import io.hapax.LeaseSettings;
import io.hapax.Outcome;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Origin;
import io.hapax.store.DedupStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the store for claims: one call for all messages of a submission, sent again as it was until
 * it is answered.
 */
final class Claimer<M> {

  private final Engine<M> engine;
  private final DedupStore store;
  private final LeaseSettings lease;
  private final Backoff backoff = Backoff.ofStoreCalls();
  private final StoreClock storeClock;
  private final Nonces nonces = new Nonces();
  private final boolean external;

  Claimer(Engine<M> engine, DedupStore store, LeaseSettings lease, boolean external) {
    this.engine = engine;
    this.store = store;
    this.lease = lease;
    this.storeClock = new StoreClock(engine::nanos);
    this.external = external;
  }

  ClaimRequest newRequest(Item<M> item, boolean solo) {
    return new ClaimRequest(
        item.requiredKey(),
        nonces.next(),
        item.fingerprint,
        new Origin(engine.owner(), shortened(item.incoming.coordinates())),
        new ClaimTerms(solo, external, notAfter()));
  }

  private static String shortened(String coordinates) {
    return coordinates.length() > Origin.MAX_LENGTH
        ? coordinates.substring(0, Origin.MAX_LENGTH)
        : coordinates;
  }

  /**
   * Later than this the claim could not be used any more, because its lease is measured from when
   * it was sent.
   */
  private Instant notAfter() {
    return storeClock.in(lease.lease().minus(lease.margin()));
  }

  /**
   * Claims all of the items and then runs what follows; items that are finished meanwhile are left
   * out.
   */
  void claim(List<Item<M>> items, Runnable then) {
    for (Item<M> item : items) {
      item.ask(newRequest(item, false));
    }
    send(items, 1, then);
  }

  private void send(List<Item<M>> items, int tries, Runnable then) {
    if (!items.isEmpty() && items.get(0).batch.abandoned()) {
      items.forEach(item -> engine.finish(item, Deferrals.ABANDONED));
      then.run();
      return;
    }
    List<Item<M>> again = new ArrayList<>();
    boolean pause = false;
    try {
      long sent = askTheTime(items);
      List<ClaimRequest> requests =
          items.stream().map(item -> item.request().orElseThrow()).toList();
      List<ClaimAnswer> answers =
          requests.isEmpty() ? List.of() : store.claim(requests, lease.lease());
      engine.storeAnswered();
      for (int i = 0; i < items.size(); i++) {
        pause |= !take(items.get(i), answers.get(i), sent, again);
      }
    } catch (RuntimeException e) {
      engine.storeFailed("claim", e);
      again = items;
      pause = true;
    }
    if (again.isEmpty()) {
      then.run();
      return;
    }
    List<Item<M>> rest = again;
    long delay = pause || tries > 3 ? backoff.after(tries).toMillis() : 0;
    engine.threads().callLater(() -> send(rest, tries + 1, then), delay);
  }

  /**
   * Before the very first claim: a request that may only be executed in 1970 is answered with the
   * store's time, so that every claim that may open something carries a limit.
   */
  private long askTheTime(List<Item<M>> items) {
    long sent = engine.nanos();
    if (!storeClock.unknown() || items.isEmpty()) {
      return sent;
    }
    ClaimRequest first = items.get(0).request().orElseThrow();
    ClaimTerms longAgo = new ClaimTerms(false, external, Instant.EPOCH);
    ClaimAnswer answer = store
        .claim(
            List.of(new ClaimRequest(
                first.key(), first.nonce(), first.fingerprint(), first.origin(), longAgo)),
            lease.lease())
        .get(0);
    if (answer instanceof ClaimAnswer.TooLate late) {
      storeClock.learn(late.storeTime(), sent);
      items.forEach(item -> item.ask(newRequest(item, false)));
    }
    return engine.nanos();
  }

  /** Takes an answer; false if the store should be given time before it is asked again. */
  private boolean take(Item<M> item, ClaimAnswer answer, long sent, List<Item<M>> again) {
    if (answer instanceof ClaimAnswer.TooLate late) {
      storeClock.learn(late.storeTime(), sent);
      item.ask(newRequest(item, false));
      again.add(item);
      return true;
    }
    if (answer instanceof ClaimAnswer.Unavailable) {
      again.add(item);
      return false;
    }
    accept(item, answer, sent);
    return true;
  }

  private void accept(Item<M> item, ClaimAnswer answer, long sent) {
    if (answer instanceof ClaimAnswer.Acquired acquired && acquired.recovered()) {
      engine.tell(listener -> listener.onRecovery(item.requiredKey(), acquired));
    }
    Item.GivenUp todo = item.answered(answer, sent + lease.lease().toNanos());
    if (answer instanceof ClaimAnswer.Done) {
      engine.finish(item, new Outcome.Duplicate());
    } else if (answer instanceof ClaimAnswer.Dead dead) {
      engine.finish(item, new Outcome.DeadLettered(dead.reason()));
    } else {
      engine.carryOut(item, todo);
    }
  }

  /** Claims one suspect alone, on the caller's thread. */
  ClaimAnswer claimSolo(Item<M> item) {
    ClaimRequest request = newRequest(item, true);
    item.ask(request);
    long sent = engine.nanos();
    ClaimAnswer answer = store.claim(List.of(request), lease.lease()).get(0);
    engine.storeAnswered();
    accept(item, answer, sent);
    return answer;
  }
}
