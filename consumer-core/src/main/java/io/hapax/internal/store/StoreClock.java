package io.hapax.internal.store;

import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.ClaimTerms;
import java.time.Duration;
import java.time.Instant;

/**
 * An upper estimate of the store's time, from the last answer that carried it and this process's
 * monotonic clock. Only used to limit how late a claim may be executed; a wrong estimate costs a
 * second claim, never more.
 */
public final class StoreClock {

  private record Sample(Instant storeTime, long atNanos) {}

  private final Ticker ticker;
  private volatile Sample sample;

  public StoreClock(Ticker ticker) {
    this.ticker = ticker;
    this.sample = new Sample(Instant.MAX, 0);
  }

  public boolean unknown() {
    return sample.storeTime().equals(Instant.MAX);
  }

  /** Takes a time that the store answered to a call sent at {@code sentNanos}. */
  public void learn(Instant storeTime, long sentNanos) {
    sample = new Sample(storeTime, sentNanos);
  }

  public Instant in(Duration ahead) {
    Sample known = sample;
    return known.storeTime().equals(Instant.MAX)
        ? ClaimTerms.ANY_TIME
        : known.storeTime().plusNanos(ticker.nanos() - known.atNanos()).plus(ahead);
  }
}
