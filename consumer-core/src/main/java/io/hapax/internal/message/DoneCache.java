package io.hapax.internal.message;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hapax.DoneCacheSettings;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which messages the store has said to be DONE a while ago, each with the fingerprint that it was
 * asked about. A DEAD one never is among them, because an operator sends it in again; nor is one
 * with a result, which its duplicates get from the store, so that all entries are of one size.
 */
public final class DoneCache {

  /** Not the key itself, whose id may be long. */
  private record Id(long high, long low) {
    static Id of(MessageKey key) {
      return new Id(key.high(), key.low());
    }
  }

  private final Optional<Cache<Id, Fingerprint>> done;

  /** Counts how often everything was forgotten: an answer from before is not believed after. */
  private final AtomicInteger season = new AtomicInteger();

  public DoneCache(Optional<DoneCacheSettings> settings, Duration retention, Ticker ticker) {
    this.done = settings.map(it -> Caffeine.newBuilder()
        .maximumSize(it.entries())
        .expireAfterWrite(checked(it.maxAge(), retention))
        .ticker(ticker::nanos)
        .executor(Runnable::run) // no thread of its own
        .build());
  }

  private static Duration checked(Duration maxAge, Duration retention) {
    if (maxAge.compareTo(retention) > 0) {
      throw new IllegalArgumentException("maxAge of doneCache is " + maxAge
          + " but must not be longer than the retention of the store, which is " + retention);
    }
    return maxAge;
  }

  /** Only the very same payload is known; whatever differs is the store's to judge. */
  public boolean knows(MessageKey key, Fingerprint fingerprint) {
    return done.isPresent() && fingerprint.equals(done.get().getIfPresent(Id.of(key)));
  }

  /** To be asked for before the call whose answer is then to be remembered. */
  public int season() {
    return season.get();
  }

  /** The store has accepted, or answered, that the message is DONE. */
  public void done(MessageKey key, Fingerprint fingerprint, Bytes result, int asked) {
    if (done.isEmpty() || result.length() > 0 || asked != season.get()) {
      return;
    }
    done.get().put(Id.of(key), fingerprint);
    if (asked != season.get()) { // everything was forgotten meanwhile, perhaps before this came in
      done.get().invalidate(Id.of(key));
    }
  }

  /** Takes what the store answered to claims. */
  public <M> void answered(List<InFlightMessage<M>> items, List<ClaimAnswer> answers, int asked) {
    if (done.isEmpty()) {
      return;
    }
    for (int i = 0; i < items.size(); i++) {
      if (answers.get(i) instanceof ClaimAnswer.Done it) {
        done(items.get(i).requiredKey(), items.get(i).fingerprint, it.result(), asked);
      }
    }
  }

  /** The store has lost marks, nobody knows which. */
  public void forget() {
    season.incrementAndGet();
    done.ifPresent(Cache::invalidateAll);
  }
}
