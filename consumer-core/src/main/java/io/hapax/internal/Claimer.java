package io.hapax.internal;

import io.hapax.LeaseSettings;
import io.hapax.Outcome;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks the store for claims: one call for all messages of a submission, sent again as it was until
 * it is answered.
 */
final class Claimer<M> {

  private final Engine<M> engine;
  private final DedupStore store;
  private final LeaseSettings lease;
  private final Backoff backoff;
  private final StoreClock storeClock;
  private final Nonces nonces = new Nonces();
  private final boolean external;

  Claimer(Engine<M> engine, DedupStore store, LeaseSettings lease, boolean external) {
    this.engine = engine;
    this.store = store;
    this.lease = lease;
    this.backoff = Backoff.ofStoreCalls(engine.dice());
    this.storeClock = new StoreClock(engine::nanos);
    this.external = external;
  }

  private ClaimRequest newRequest(Item<M> item, boolean solo) {
    return request(item, new ClaimTerms(solo, external, notAfter()));
  }

  private ClaimRequest request(Item<M> item, ClaimTerms terms) {
    return new ClaimRequest(
        item.requiredKey(),
        nonces.next(),
        item.fingerprint,
        new Origin(engine.owner(), shortened(item.incoming.coordinates())),
        terms);
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
   * Claims all of the items.
   *
   * @param answered run whenever more of them are answered or given up, by one thread at a time
   */
  void claim(List<Item<M>> items, Runnable answered) {
    List<ClaimRequest> requests =
        items.stream().map(item -> newRequest(item, false)).toList();
    for (int i = 0; i < items.size(); i++) { // only now: what is asked for waits for its answer
      items.get(i).ask(requests.get(i));
    }
    send(items, 1, engine.nanos(), answered);
  }

  private void send(List<Item<M>> all, int tries, long since, Runnable answered) {
    List<Item<M>> items = all.stream().filter(Item::unfinished).toList();
    if (!items.isEmpty() && items.get(0).batch.abandoned()) {
      items.forEach(item -> engine.outcomes().finish(item, Deferrals.ABANDONED));
      answered.run();
      return;
    }
    if (engine.outage().over(since)) {
      items.forEach(this::goWithout);
      answered.run();
      return;
    }
    List<Item<M>> again = new ArrayList<>();
    boolean pause = false;
    long asked = engine.nanos();
    try {
      long sent = askTheTime(items);
      List<ClaimAnswer> answers = ask(items);
      learnTheTime(answers, sent);
      for (int i = 0; i < items.size(); i++) {
        pause |= !take(items.get(i), answers.get(i), sent, again);
      }
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("claim", e);
      engine.outage().failed(asked);
      again = items;
      pause = true;
    }
    answered.run();
    if (!again.isEmpty()) {
      List<Item<M>> rest = again;
      Duration delay = pause || tries > 3 ? backoff.after(tries) : Duration.ZERO;
      engine.tasks().callLater(rest, () -> send(rest, tries + 1, since, answered), delay);
    }
  }

  private List<ClaimAnswer> ask(List<Item<M>> items) {
    if (items.isEmpty()) {
      return List.of();
    }
    List<ClaimRequest> requests =
        items.stream().map(item -> item.request().orElseThrow()).toList();
    int season = engine.doneCache().season();
    long sent = engine.nanos();
    List<ClaimAnswer> answers =
        Replies.complete("claim", requests.size(), store.claim(requests, lease.lease()));
    engine.events().storeAnswered();
    engine.doneCache().answered(items, answers, season);
    if (answers.stream().allMatch(ClaimAnswer.Unavailable.class::isInstance)) {
      engine.outage().failed(sent);
    } else {
      engine.outage().answered();
    }
    return answers;
  }

  /** Lets the item run although nobody has granted it a claim. */
  private void goWithout(Item<M> item) {
    Acquired nothing = Unprotected.of(item.request().orElseThrow());
    item.lease.forsake();
    engine.outcomes().carryOut(item, item.answered(nothing, engine.nanos() + Long.MAX_VALUE / 2));
  }

  /** A lease that was just given shows the store's time: a clock that was set is noticed. */
  private void learnTheTime(List<ClaimAnswer> answers, long sent) {
    for (ClaimAnswer answer : answers) {
      if (answer instanceof Acquired acquired) {
        storeClock.learn(acquired.leaseUntil().minus(lease.lease()), sent);
        return;
      }
    }
  }

  /**
   * Before the very first claim, so that every claim that may open something carries a limit.
   *
   * @return when the claims themselves are sent
   */
  private long askTheTime(List<Item<M>> items) {
    if (!storeClock.unknown() || items.isEmpty()) {
      return engine.nanos();
    }
    askTheTime(items.get(0).requiredKey());
    items.forEach(item -> item.ask(newRequest(item, false)));
    return engine.nanos();
  }

  /**
   * A request that may only be executed in 1970 is answered with the store's time, whatever the
   * state of its mark, and changes nothing.
   *
   * @throws StoreException if the store did not answer
   */
  void askTheTime(MessageKey key) {
    long sent = engine.nanos();
    ClaimRequest question = new ClaimRequest(
        key,
        nonces.next(),
        Fingerprint.NONE,
        new Origin(engine.owner(), ""),
        new ClaimTerms(false, external, Instant.EPOCH));
    ClaimAnswer answer = Replies.complete("claim", 1, store.claim(List.of(question), lease.lease()))
        .get(0);
    if (!(answer instanceof ClaimAnswer.TooLate late)) {
      throw new StoreException("the store did not tell its time but answered " + answer);
    }
    storeClock.learn(late.storeTime(), sent);
  }

  /** Takes an answer; false if the store should be given time before it is asked again. */
  private boolean take(Item<M> item, ClaimAnswer answer, long sent, List<Item<M>> again) {
    if (answer instanceof ClaimAnswer.TooLate late) {
      storeClock.learn(late.storeTime(), sent);
      item.ask(newRequest(item, item.request().orElseThrow().terms().solo()));
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
    if (answer instanceof Acquired acquired) {
      engine.events().recovered(item.requiredKey(), acquired);
    }
    Item.GivenUp todo = item.answered(answer, sent + lease.lease().toNanos());
    if (answer instanceof ClaimAnswer.Done done) {
      engine.events().tell(it -> it.onDuplicate(item.requiredKey(), done.doneAt()));
      engine.outcomes().finish(item, new Outcome.Duplicate(done.result()));
    } else if (answer instanceof ClaimAnswer.Dead dead) {
      engine.outcomes().finish(item, new Outcome.DeadLettered(dead.reason()));
    } else {
      engine.outcomes().carryOut(item, todo);
    }
  }

  /** Prepares the claim of one suspect alone. */
  void askAlone(Item<M> item) {
    item.ask(newRequest(item, true));
  }

  /**
   * Sends the claim of one suspect, on the caller's thread.
   *
   * @return empty once it is answered; otherwise when to send it again
   */
  Optional<Duration> sendAlone(Item<M> item, int tries) {
    if (item.batch.abandoned() && tries > 1) {
      engine.outcomes().finish(item, Deferrals.ABANDONED);
      return Optional.empty();
    }
    long sent = engine.nanos();
    if (engine.outage().over(sent)) {
      goWithout(item);
      return Optional.empty();
    }
    List<Item<M>> again = new ArrayList<>();
    try {
      take(item, ask(List.of(item)).get(0), sent, again);
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("claim", e);
      engine.outage().failed(sent);
      again.add(item);
    }
    return again.isEmpty() ? Optional.empty() : Optional.of(backoff.after(tries));
  }

  /**
   * Claims one message alone, on the caller's thread, beside the course of its submission.
   *
   * @throws StoreException if the store did not answer
   */
  ClaimAnswer claimNow(Item<M> item) {
    for (int tries = 1; ; tries++) {
      ClaimRequest request = newRequest(item, true);
      long sent = engine.nanos();
      ClaimAnswer answer = Replies.complete(
              "claim", 1, store.claim(List.of(request), lease.lease()))
          .get(0);
      if (!(answer instanceof ClaimAnswer.TooLate late) || tries == 3) {
        return answer;
      }
      storeClock.learn(late.storeTime(), sent);
    }
  }

  /**
   * The request of a message that is claimed inside a transaction. It carries no limit in time: a
   * transaction whose caller has given up does not commit.
   */
  ClaimRequest newTransactionalRequest(Item<M> item) {
    return request(item, new ClaimTerms(false, external, ClaimTerms.ANY_TIME));
  }
}
