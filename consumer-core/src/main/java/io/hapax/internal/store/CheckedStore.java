package io.hapax.internal.store;

import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.FailStop;
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
 * call as answered or failed. Makes none after the end of the receiver.
 */
public record CheckedStore(DedupStore store, Events events, FailStop failStop) {

  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    return call("claim", requests.size(), () -> store.claim(requests, lease));
  }

  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return call("renew", claims.size(), () -> store.renew(claims, lease));
  }

  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return call("settle", settlements.size(), () -> store.settle(settlements));
  }

  /** Asks for the store's time, as a part of a claim. */
  public Instant now(MessageKey key) {
    return call("claim", () -> store.now(key));
  }

  private <A> List<A> call(String verb, int items, Supplier<List<A>> call) {
    return call(verb, () -> complete(verb, items, call.get()));
  }

  private <R> R call(String verb, Supplier<R> call) {
    failStop.requireRunning();
    try {
      R answer = call.get();
      events.storeAnswered();
      return answer;
    } catch (RuntimeException e) {
      events.storeFailed(verb, e);
      throw e;
    } catch (Throwable e) { // a store in another language may throw any
      FailStop.throwIfOfTheProcess(e);
      events.storeFailed(verb, e);
      throw new StoreException("the store failed to " + verb, e);
    }
  }

  /**
   * Throws unless a reply has an answer for each item, so that no answer is given to another item.
   */
  public static <A> List<A> complete(String verb, int items, List<A> answers) {
    if (answers.size() != items) {
      throw new StoreException(
          "the store gave " + answers.size() + " answers to " + items + " items of " + verb);
    }
    return List.copyOf(answers); // throws if one is null, or comes late and fails
  }
}
