package io.hapax.internal.claim;

import io.hapax.LeaseSettings;
import io.hapax.adapter.Outcome;
import io.hapax.internal.Engine;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Nonces;
import io.hapax.internal.store.Replies;
import io.hapax.internal.store.StoreClock;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;

/** Asks the store for claims, sent again as they were until they are answered. */
public final class Claimer<M> {

  private final Engine<M> engine;
  private final DedupStore store;
  private final LeaseSettings lease;
  private final StoreClock storeClock;
  private final Nonces nonces = new Nonces();
  private final boolean external;

  public Claimer(Engine<M> engine, DedupStore store, LeaseSettings lease, boolean external) {
    this.engine = engine;
    this.store = store;
    this.lease = lease;
    this.storeClock = new StoreClock(engine::nanos);
    this.external = external;
  }

  private ClaimRequest newRequest(InFlightMessage<M> item, boolean solo) {
    return request(item, terms(solo));
  }

  private ClaimTerms terms(boolean solo) {
    return new ClaimTerms(solo, external, notAfter());
  }

  private ClaimRequest request(InFlightMessage<M> item, ClaimTerms terms) {
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
  public void claim(List<InFlightMessage<M>> items, Runnable answered) {
    courseOf(items, answered).begin();
  }

  /** The same, without a call to the store on the caller's thread. */
  public void claimElsewhere(List<InFlightMessage<M>> items, Runnable answered) {
    courseOf(items, answered).beginElsewhere();
  }

  private ClaimAttempt<M> courseOf(List<InFlightMessage<M>> items, Runnable answered) {
    ClaimTerms terms = terms(false);
    List<ClaimRequest> requests =
        items.stream().map(item -> request(item, terms)).toList();
    ClaimAttempt<M> course = new ClaimAttempt<>(engine, items, answered);
    for (int i = 0; i < items.size(); i++) { // only now: what is asked for waits for its answer
      items.get(i).ask(requests.get(i));
    }
    return course;
  }

  /**
   * Claims one suspect by itself; its claim shares a call with those of others that come meanwhile.
   *
   * @param answered run whenever it may be answered or given up, by one thread at a time
   */
  public void claimSolo(InFlightMessage<M> item, Runnable answered) {
    ClaimRequest request = newRequest(item, true);
    ClaimAttempt<M> course = new ClaimAttempt<>(engine, List.of(item), answered);
    item.ask(request);
    course.begin();
  }

  /** Sends what is asked for the items, in one call. */
  ClaimReply<M> ask(List<InFlightMessage<M>> items) {
    long sent = askTheTime(items);
    List<ClaimAnswer> answers = answersFor(items);
    learnTheTime(answers, sent);
    ClaimReply<M> asked = new ClaimReply<>(new HashSet<>(), new HashSet<>());
    for (int i = 0; i < items.size(); i++) {
      ClaimAnswer answer = answers.get(i);
      if (answer instanceof ClaimAnswer.Unavailable) {
        asked.unheard().add(items.get(i));
      } else if (answer instanceof ClaimAnswer.TooLate) {
        asked.late().add(items.get(i));
      }
      take(items.get(i), answer, sent);
    }
    return asked;
  }

  private List<ClaimAnswer> answersFor(List<InFlightMessage<M>> items) {
    List<ClaimRequest> requests = items.stream().map(InFlightMessage::asked).toList();
    int season = engine.doneCache().season();
    long sent = engine.nanos();
    List<ClaimAnswer> answers =
        Replies.complete("claim", requests.size(), store.claim(requests, lease.lease()));
    engine.events().storeAnswered();
    engine.doneCache().answered(items, answers, season);
    boolean kept = answers.stream().anyMatch(Acquired.class::isInstance);
    engine.outage().answered(answers, ClaimAnswer.Unavailable.class, kept, sent);
    return answers;
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
  private long askTheTime(List<InFlightMessage<M>> items) {
    if (!storeClock.unknown()) {
      return engine.nanos();
    }
    var unused = askTheTime(items.get(0).requiredKey());
    ClaimTerms terms = terms(false);
    items.forEach(item -> item.ask(request(item, terms)));
    return engine.nanos();
  }

  /**
   * A request that may only be executed in 1970 is answered with the store's time, whatever the
   * state of its mark, and changes nothing.
   *
   * @return the store's time
   * @throws StoreException if the store did not answer
   */
  public Instant askTheTime(MessageKey key) {
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
    return late.storeTime();
  }

  private void take(InFlightMessage<M> item, ClaimAnswer answer, long sent) {
    if (answer instanceof ClaimAnswer.TooLate late) {
      storeClock.learn(late.storeTime(), sent);
      item.ask(newRequest(item, item.asked().terms().solo()));
    } else if (!(answer instanceof ClaimAnswer.Unavailable)) {
      accept(item, answer, sent);
    }
  }

  private void accept(InFlightMessage<M> item, ClaimAnswer answer, long sent) {
    if (answer instanceof Acquired acquired) {
      engine.events().recovered(item.requiredKey(), acquired);
    }
    InFlightMessage.GivenUp todo = item.answered(answer, sent + lease.lease().toNanos());
    if (answer instanceof ClaimAnswer.Done done) {
      engine.events().tell(it -> it.onDuplicate(item.requiredKey(), done.doneAt()));
      engine.outcomes().finish(item, new Outcome.Duplicate(done.result()));
    } else if (answer instanceof ClaimAnswer.Dead dead) {
      engine.outcomes().finish(item, new Outcome.DeadLettered(dead.reason()));
    } else {
      engine.outcomes().carryOut(item, todo);
    }
  }

  /**
   * Claims one message alone, on the caller's thread, beside the course of its submission.
   *
   * @throws StoreException if the store did not answer
   */
  public ClaimAnswer claimNow(InFlightMessage<M> item) {
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
  public ClaimRequest newTransactionalRequest(InFlightMessage<M> item) {
    return request(item, new ClaimTerms(false, external, ClaimTerms.ANY_TIME));
  }
}
