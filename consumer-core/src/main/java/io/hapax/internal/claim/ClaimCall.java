package io.hapax.internal.claim;

import io.hapax.LeaseSettings;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.ClaimOwner;
import io.hapax.internal.runtime.Ticker;
import io.hapax.internal.store.CheckedStore;
import io.hapax.internal.store.StoreClock;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import java.time.Instant;
import java.util.List;

/**
 * Creates claim requests, each with its own nonce. Those of leased mode have a time limit by the
 * store's clock, and are sent here: the clock learns from the answers. A transaction sends its own.
 */
public final class ClaimCall {

  private static final int MOST_TRIES = 3;

  /** The store's answers, when the call was sent, and when leases that it granted end. */
  record Answers(List<ClaimAnswer> answers, long sentNanos, long leaseEndNanos) {}

  private final CheckedStore store;
  private final ClaimOwner owner;
  private final boolean external;
  private final LeaseSettings lease;
  private final StoreClock clock;
  private final Ticker ticker;

  /** Claims are external if effects outside of the store's transaction may follow. */
  public ClaimCall(
      CheckedStore store, ClaimOwner owner, boolean external, LeaseSettings lease, Ticker ticker) {
    this.store = store;
    this.owner = owner;
    this.external = external;
    this.lease = lease;
    this.clock = new StoreClock(ticker);
    this.ticker = ticker;
  }

  /**
   * Returns the terms of claims that are sent now. After their time limit too little of the lease
   * would remain, because the lease begins when the request is sent.
   */
  ClaimTerms terms(boolean solo) {
    Instant notAfter = clock.in(lease.lease().minus(lease.margin()));
    return new ClaimTerms(solo, external, notAfter);
  }

  /** Returns a new request with given terms, which messages of one call share. */
  ClaimRequest request(InFlightMessage<?> message, ClaimTerms terms) {
    return new ClaimRequest(
        message.requiredKey(),
        owner.nextNonce(),
        message.fingerprint,
        owner.at(message.incoming.coordinates()),
        terms);
  }

  /**
   * Returns the request for a claim inside a transaction. It has no time limit: if the caller gives
   * up, the transaction does not commit.
   */
  public ClaimRequest inTransaction(InFlightMessage<?> message) {
    return request(message, new ClaimTerms(false, external, ClaimTerms.ANY_TIME));
  }

  <M> Answers send(List<InFlightMessage<M>> messages) {
    limitByStoreTime(messages);
    long sent = ticker.nanos();
    List<ClaimAnswer> answers = store.claim(
        messages.stream().map(InFlightMessage::requiredRequest).toList(), lease.lease());
    learnTime(answers, sent);
    return new Answers(answers, sent, sent + lease.lease().toNanos());
  }

  /** Reads the store's time before the first claim, so that each claim has a time limit. */
  private void limitByStoreTime(List<? extends InFlightMessage<?>> messages) {
    if (clock.unknown()) {
      readTime(messages.get(0));
      messages.forEach(this::askAnew);
    }
  }

  private void readTime(InFlightMessage<?> message) {
    var unused = clock.now(() -> store.now(message.requiredKey()));
  }

  /** Reads the store's time from a new lease, which shows whether the store's clock was set. */
  private void learnTime(List<ClaimAnswer> answers, long sent) {
    for (ClaimAnswer answer : answers) {
      if (answer instanceof Acquired acquired) {
        clock.learn(acquired.leaseUntil().minus(lease.lease()), sent);
        return;
      }
    }
  }

  /** Creates a new request for a message whose claim reached the store too late. */
  void askAnew(InFlightMessage<?> message, ClaimAnswer.TooLate late, long sent) {
    clock.learn(late.storeTime(), sent);
    askAnew(message);
  }

  /** Replaces the request by one with the present time limit; solo stays solo. */
  private void askAnew(InFlightMessage<?> message) {
    boolean solo = message.requiredRequest().terms().solo();
    message.ask(request(message, terms(solo)));
  }

  /**
   * Claims one message alone on the caller's thread, independently of its submission. The
   * generation must have been read lately.
   */
  public ClaimAnswer claimNow(InFlightMessage<?> message) {
    readTime(message); // transactions need no time limit, so it may be unknown
    for (int tries = 1; ; tries++) {
      ClaimRequest request = request(message, terms(true));
      long sent = ticker.nanos();
      ClaimAnswer answer = store.claim(List.of(request), lease.lease()).get(0);
      if (!(answer instanceof ClaimAnswer.TooLate late) || tries == MOST_TRIES) {
        learnTime(List.of(answer), sent);
        return answer;
      }
      clock.learn(late.storeTime(), sent);
    }
  }
}
