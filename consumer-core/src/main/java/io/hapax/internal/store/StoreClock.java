package io.hapax.internal.store;

import io.hapax.internal.runtime.SystemTime;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.ClaimTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Estimates an upper bound of the store's time, from the last answer that carried it and this
 * process's monotonic clock. For a receiver the bound only limits how late the store may execute a
 * claim. A wrong estimate costs a second claim and nothing else.
 */
public final class StoreClock {

  private record Sample(Instant storeTime, long atNanos) {}

  private final Ticker ticker;
  private volatile Sample sample = new Sample(Instant.MAX, 0);

  public StoreClock(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Creates the clock of a tool, by the system's monotonic clock. */
  public StoreClock() {
    this(SystemTime.INSTANCE);
  }

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
   * Returns the store's time, which the store is asked for once; throws what the question throws.
   */
  public Instant now(Supplier<Instant> question) {
    if (unknown()) {
      long sent = ticker.nanos();
      learn(question.get(), sent);
    }
    return in(Duration.ZERO);
  }
}
