package io.hapax.internal.store;

import io.hapax.internal.runtime.Nonces;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Estimates an upper bound of the store's time, from the last answer that carried it and this
 * process's monotonic clock. The bound only limits how late the store may execute a claim. A wrong
 * estimate costs a second claim and nothing else.
 */
public final class StoreClock {

  private record Sample(Instant storeTime, long atNanos) {}

  private static final Duration LEASE = Duration.ofSeconds(1);

  /** The store never executes a claim with these terms, because it could do so in 1970 only. */
  private static final ClaimTerms NEVER = new ClaimTerms(false, true, Instant.EPOCH);

  private final Ticker ticker;
  private final Nonces nonces = new Nonces();
  private volatile Sample sample = new Sample(Instant.MAX, 0);

  public StoreClock(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Returns whether no answer has carried the store's time yet. */
  public boolean unknown() {
    return sample.storeTime().equals(Instant.MAX);
  }

  /** Sets the store's time from the answer to a call that was sent at {@code sentNanos}. */
  public void learn(Instant storeTime, long sentNanos) {
    sample = new Sample(storeTime, sentNanos);
  }

  /** Returns the store's time plus a duration; no limit while the time is unknown. */
  public Instant in(Duration ahead) {
    Sample known = sample;
    return known.storeTime().equals(Instant.MAX)
        ? ClaimTerms.ANY_TIME
        : known.storeTime().plusNanos(ticker.nanos() - known.atNanos()).plus(ahead);
  }

  /**
   * Reads the store's time: it answers a claim that it may not execute any more with its time,
   * whatever the key and the state of its mark. Throws if the store did not answer.
   */
  public Instant ask(DedupStore store, MessageKey key) {
    ClaimRequest request =
        new ClaimRequest(key, nonces.next(), Fingerprint.NONE, Origin.NONE, NEVER);
    long sent = ticker.nanos();
    ClaimAnswer answer =
        CheckedStore.complete("claim", 1, store.claim(List.of(request), LEASE)).get(0);
    if (!(answer instanceof ClaimAnswer.TooLate late)) {
      throw new StoreException("the store did not return its time but answered " + answer);
    }
    learn(late.storeTime(), sent);
    return late.storeTime();
  }
}
