package io.hapax.internal;

import java.time.Duration;
import java.util.Optional;

/** When the store last took the end of a message. */
final class LastSettled {

  private final Ticker ticker;
  private volatile long atNanos;
  private volatile boolean ever;

  LastSettled(Ticker ticker) {
    this.ticker = ticker;
  }

  void now() {
    atNanos = ticker.nanos();
    ever = true;
  }

  Optional<Duration> ago() {
    return ever
        ? Optional.of(Duration.ofNanos(Math.max(0, ticker.nanos() - atNanos)))
        : Optional.empty();
  }
}
