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
 * Stands between the engine and its store: every call is checked for one reply an item, and is
 * reported as answered or failed to the listeners and to the outage detector.
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

  /** Claims; see {@link DedupStore#claim}. */
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return call(
        "claim",
        requests.size(),
        () -> store.claim(requests, lease),
        ClaimAnswer.Unavailable.class,
        answers -> answers.stream().anyMatch(ClaimAnswer.Acquired.class::isInstance));
  }

  /** Renews; see {@link DedupStore#renew}. */
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return call(
        "renew",
        claims.size(),
        () -> store.renew(claims, lease),
        RenewAnswer.Unavailable.class,
        answers -> answers.stream().anyMatch(RenewAnswer.Renewed.class::isInstance));
  }

  /**
   * Settles; see {@link DedupStore#settle}.
   *
   * @param writes whether the store has to write in order to answer that the i-th is settled
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
   * Asks for the store's time, which the clock learns.
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
      int asked,
      Supplier<List<A>> call,
      Class<? extends A> unavailable,
      Predicate<List<A>> kept) {
    long sent = ticker.nanos();
    try {
      List<A> answers = complete(verb, asked, call.get());
      events.storeAnswered();
      outage.answered(answers, unavailable, kept.test(answers), sent);
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
   * Refuses a reply that does not answer each item, so that no answer is taken for another's.
   *
   * @param verb what the store was asked to do
   * @param asked for how many items
   * @param answers what it answered
   * @return the answers
   */
  public static <A> List<A> complete(String verb, int asked, List<A> answers) {
    if (answers.size() != asked) {
      throw new StoreException(
          "the store gave " + answers.size() + " answers to " + asked + " items of " + verb);
    }
    return answers;
  }
}
