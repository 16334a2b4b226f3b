package io.hapax.internal.store;

import io.hapax.internal.report.Events;
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
import java.util.function.Supplier;

/**
 * Calls the store for the engine. Checks that each reply has one answer for each item. Reports each
 * call as answered or failed.
 */
public final class CheckedStore {

  private final DedupStore store;
  private final Events events;

  public CheckedStore(DedupStore store, Events events) {
    this.store = store;
    this.events = events;
  }

  /** Sends claims; see {@link DedupStore#claim}. */
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return call("claim", requests.size(), () -> store.claim(requests, lease));
  }

  /** Renews leases; see {@link DedupStore#renew}. */
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return call("renew", claims.size(), () -> store.renew(claims, lease));
  }

  /** Settles claims; see {@link DedupStore#settle}. */
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return call("settle", settlements.size(), () -> store.settle(settlements));
  }

  /**
   * Reads the store's time and sets the clock.
   *
   * @param key any key
   */
  public Instant askTime(StoreClock clock, MessageKey key) {
    try {
      return clock.ask(store, key);
    } catch (RuntimeException | Error e) {
      events.storeFailed("claim", e);
      throw e;
    }
  }

  private <A> List<A> call(String verb, int items, Supplier<List<A>> call) {
    try {
      List<A> answers = complete(verb, items, call.get());
      events.storeAnswered();
      return answers;
    } catch (RuntimeException | Error e) {
      events.storeFailed(verb, e);
      throw e;
    }
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
