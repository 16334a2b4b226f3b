package io.hapax.internal.store;

import io.hapax.internal.Engine;
import java.time.Duration;

/**
 * Whether the generation was seen a short while ago, for what is to be sent now. If it was not, it
 * is looked at once; should the store not tell it even then, what is sent shows whether it answers.
 * For one thread at a time.
 */
public final class GenerationCheck<M> {

  /** How soon to ask again. */
  public static final Duration PAUSE = Duration.ofMillis(20);

  private final Engine<M> engine;
  private boolean looks;
  private long looksSince;

  public GenerationCheck(Engine<M> engine) {
    this.engine = engine;
  }

  /** True if it may be sent; else asked again soon. */
  public boolean seen() {
    GenerationWatch<M> generation = engine.generation();
    boolean seen = generation.open() || (looks && generation.lookedSince(looksSince));
    if (!seen && !looks) {
      looksSince = engine.nanos();
      generation.lookSoon();
    }
    looks = !seen;
    return seen;
  }
}
