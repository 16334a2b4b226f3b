package io.hapax.internal.store;

import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Calls the store for the engine. Checks that each reply has one answer for each item. Reports each
 * call as answered or failed to the listeners and to the outage detector.
 */
public final class CheckedStore {

  private final DedupStore store;
  private final Events events;
  private final OutageDetector outage;
  private final Ticker ticker;

  public CheckedStore(DedupStore store, Events events, OutageDetector outage, Ticker ticker) {
    this.store = store;
    this.events = events;
    this.outage = outage;
    this.ticker = ticker;
  }

  /** Sends claims; see {@link DedupStore#claim}. */
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return call(
        "claim",
        requests.size(),
        () -> store.claim(requests, lease),
        ClaimAnswer.Unavailable.class,
        answers -> answers.stream().anyMatch(ClaimAnswer.Acquired.class::isInstance));
  }

  /** Renews leases; see {@link DedupStore#renew}. */
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return call(
        "renew",
        claims.size(),
        () -> store.renew(claims, lease),
        RenewAnswer.Unavailable.class,
        answers -> answers.stream().anyMatch(RenewAnswer.Renewed.class::isInstance));
  }

  /**
   * Settles claims; see {@link DedupStore#settle}.
   *
   * @param writes whether an answer that the settlement at this index is settled proves a write
   */
  public List<SettleAnswer> settle(List<Settlement> settlements, IntPredicate writes) {
    return call(
        "settle",
        settlements.size(),
        () -> store.settle(settlements),
        SettleAnswer.Unavailable.class,
        answers -> anyWritten(answers, writes));
  }

  private static boolean anyWritten(List<SettleAnswer> answers, IntPredicate writes) {
    for (int i = 0; i < answers.size(); i++) {
      if (writes.test(i) && answers.get(i) instanceof SettleAnswer.Settled) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads the store's time and sets the clock.
   *
   * @param key any key
   */
  public Instant askTime(StoreClock clock, MessageKey key) {
    long sent = ticker.nanos();
    try {
      return clock.ask(store, key);
    } catch (RuntimeException | Error e) {
      failed("claim", e, sent);
      throw e;
    }
  }

  private <A> List<A> call(
      String verb,
      int items,
      Supplier<List<A>> call,
      Class<? extends A> unavailable,
      Predicate<List<A>> wrote) {
    long sent = ticker.nanos();
    try {
      List<A> answers = complete(verb, items, call.get());
      events.storeAnswered();
      outage.answered(answers, unavailable, wrote.test(answers), sent);
      return answers;
    } catch (RuntimeException | Error e) {
      failed(verb, e, sent);
      throw e;
    }
  }

  private void failed(String verb, Throwable error, long sent) {
    events.storeFailed(verb, error);
    outage.failed(sent);
  }

  /**
   * Checks that a reply has one answer for each item, so that no answer is given to another item.
   *
   * @param verb the operation of the store
   * @param items the number of items that were sent
   * @param answers the answers
   * @return the answers
   * @throws StoreException if their number differs
   */
  public static <A> List<A> complete(String verb, int items, List<A> answers) {
    if (answers.size() != items) {
      throw new StoreException(
          "the store gave " + answers.size() + " answers to " + items + " items of " + verb);
    }
    return answers;
  }
}
