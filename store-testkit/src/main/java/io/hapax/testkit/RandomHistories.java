package io.hapax.testkit;

import java.util.ArrayList;
import java.util.List;

/** Replays random histories; the same seed is always the same history. */
final class RandomHistories {

  private static final int STEPS = 60;

  private RandomHistories() {}

  /** Replays histories until one finds the store different from the machine. */
  static void replay(StoreFixture fixture, int histories) {
    for (int seed = 0; seed < histories; seed++) {
      replaySeed(fixture, seed);
    }
  }

  private static void replaySeed(StoreFixture fixture, int seed) {
    List<String> trace = new ArrayList<>();
    try {
      RandomHistory history = new RandomHistory(fixture, seed, trace);
      for (int step = 0; step < STEPS; step++) {
        history.step();
      }
      history.compareLists();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "the store differs from the machine in the history with seed " + seed + ":\n"
              + String.join("\n", trace) + "\n" + e.getMessage(),
          e);
    }
  }
}
