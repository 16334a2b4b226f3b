package io.hapax.internal.store;

import io.hapax.internal.runtime.Nonces;
import io.hapax.internal.runtime.SystemTime;
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
 * What time it is for a store, for whoever only looks at its marks. It is asked once; from then on
 * this process's monotonic clock carries it on. Used by one thread.
 */
public final class StoreTime {

  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final ClaimTerms NEVER = new ClaimTerms(false, true, Instant.EPOCH);

  private final DedupStore store;
  private final Ticker ticker;
  private final StoreClock clock;
  private final Nonces nonces = new Nonces();

  /**
   * Of a store that was not asked yet.
   *
   * @param store the store
   */
  public StoreTime(DedupStore store) {
    this.store = store;
    this.ticker = SystemTime.INSTANCE;
    this.clock = new StoreClock(ticker);
  }

  /**
   * The time. A claim that may only be executed in 1970 is answered with it, and changes nothing.
   *
   * @param key what to ask with; any
   * @throws StoreException if the store did not answer
   */
  public Instant now(MessageKey key) {
    if (clock.unknown()) {
      ask(key);
    }
    return clock.in(Duration.ZERO);
  }

  private void ask(MessageKey key) {
    ClaimRequest question =
        new ClaimRequest(key, nonces.next(), Fingerprint.NONE, Origin.NONE, NEVER);
    long sent = ticker.nanos();
    ClaimAnswer answer =
        Replies.complete("claim", 1, store.claim(List.of(question), LEASE)).get(0);
    if (!(answer instanceof ClaimAnswer.TooLate late)) {
      throw new StoreException("the store did not tell its time but answered " + answer);
    }
    clock.learn(late.storeTime(), sent);
  }
}
