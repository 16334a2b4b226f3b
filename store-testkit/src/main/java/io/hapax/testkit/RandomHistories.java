package io.hapax.testkit;

import java.util.ArrayList;
import java.util.List;

/** Replays random histories; a seed always gives the same history. */
final class RandomHistories {

  private static final int STEPS = 60;

  private RandomHistories() {}

  /** Replays histories and fails at the first one in which the store differs from the machine. */
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
