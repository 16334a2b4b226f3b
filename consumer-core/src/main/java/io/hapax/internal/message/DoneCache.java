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
 * Caches which messages the store has lately reported as DONE, each with its fingerprint. DEAD
 * messages are not cached, because an operator may redrive them. Messages with a result are not
 * cached either: their duplicates need the result from the store, and all entries have one size.
 */
public final class DoneCache {

  /** The hash of a key, because its id may be long. */
  private record Id(long high, long low) {
    static Id of(MessageKey key) {
      return new Id(key.high(), key.low());
    }
  }

  private final Optional<Cache<Id, Fingerprint>> done;

  /** Counts how often the cache was cleared: an answer to an earlier call is not cached. */
  private final AtomicInteger epoch = new AtomicInteger();

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

  /** Returns whether the message is DONE with the same payload; the store judges any other one. */
  public boolean knows(MessageKey key, Fingerprint fingerprint) {
    return done.isPresent() && fingerprint.equals(done.get().getIfPresent(Id.of(key)));
  }

  /** Returns the epoch; a caller reads it before the call whose answer it caches. */
  public int epoch() {
    return epoch.get();
  }

  /** Caches a message that the store has accepted or reported as DONE. */
  public void done(MessageKey key, Fingerprint fingerprint, Bytes result, int callEpoch) {
    if (done.isEmpty() || result.length() > 0 || callEpoch != epoch.get()) {
      return;
    }
    done.get().put(Id.of(key), fingerprint);
    if (callEpoch != epoch.get()) { // the cache was cleared meanwhile, perhaps before the put
      done.get().invalidate(Id.of(key));
    }
  }

  /** Caches the DONE messages among the store's answers to claims. */
  public <M> void answered(
      List<InFlightMessage<M>> messages, List<ClaimAnswer> answers, int callEpoch) {
    if (done.isEmpty()) {
      return;
    }
    for (int i = 0; i < messages.size(); i++) {
      if (answers.get(i) instanceof ClaimAnswer.Done it) {
        done(messages.get(i).requiredKey(), messages.get(i).fingerprint, it.result(), callEpoch);
      }
    }
  }

  /** Clears the cache, because the store has lost marks and it is unknown which. */
  public void forget() {
    epoch.incrementAndGet();
    done.ifPresent(Cache::invalidateAll);
  }
}
