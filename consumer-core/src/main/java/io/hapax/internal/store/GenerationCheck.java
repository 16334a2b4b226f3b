package io.hapax.internal.store;

import io.hapax.internal.runtime.Ticker;
import java.time.Duration;

/**
 * Checks that the generation was read lately, before a call is sent. If it was not, the check
 * requests one poll. If that poll fails, the call is sent all the same and shows whether the store
 * answers. Used by one thread at a time.
 */
public final class GenerationCheck {

  /** The pause before the next check. */
  public static final Duration PAUSE = Duration.ofMillis(20);

  private final GenerationWatch generation;
  private final Ticker ticker;
  private boolean polling;
  private long pollingSinceNanos;

  GenerationCheck(GenerationWatch generation, Ticker ticker) {
    this.generation = generation;
    this.ticker = ticker;
  }

  /** Returns whether the call may be sent; if not, the caller checks again after the pause. */
  public boolean seen() {
    boolean seen = generation.open() || (polling && generation.polledSince(pollingSinceNanos));
    if (!seen && !polling) {
      pollingSinceNanos = ticker.nanos();
      generation.pollSoon();
    }
    polling = !seen;
    return seen;
  }
}
