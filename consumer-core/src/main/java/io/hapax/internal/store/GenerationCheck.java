package io.hapax.internal.store;

import io.hapax.internal.runtime.Ticker;
import java.time.Duration;

/**
 * Whether the generation was seen a short while ago, for what is to be sent now. If it was not, it
 * is looked at once; should the store not tell it even then, what is sent shows whether it answers.
 * For one thread at a time.
 */
public final class GenerationCheck {

  /** How soon to ask again. */
  public static final Duration PAUSE = Duration.ofMillis(20);

  private final GenerationWatch generation;
  private final Ticker ticker;
  private boolean looks;
  private long looksSince;

  GenerationCheck(GenerationWatch generation, Ticker ticker) {
    this.generation = generation;
    this.ticker = ticker;
  }

  /** True if it may be sent; else asked again soon. */
  public boolean seen() {
    boolean seen = generation.open() || (looks && generation.lookedSince(looksSince));
    if (!seen && !looks) {
      looksSince = ticker.nanos();
      generation.lookSoon();
    }
    looks = !seen;
    return seen;
  }
}
