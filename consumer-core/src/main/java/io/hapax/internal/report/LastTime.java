package io.hapax.internal.report;

import io.hapax.internal.runtime.Ticker;
import java.time.Duration;
import java.util.Optional;

/** Keeps the time at which something last happened. */
public final class LastTime {

  private final Ticker ticker;
  private volatile long atNanos;
  private volatile boolean ever;

  public LastTime(Ticker ticker) {
    this.ticker = ticker;
  }

  public void now() {
    atNanos = ticker.nanos();
    ever = true;
  }

  public Optional<Duration> ago() {
    return ever
        ? Optional.of(Duration.ofNanos(Math.max(0, ticker.nanos() - atNanos)))
        : Optional.empty();
  }
}
