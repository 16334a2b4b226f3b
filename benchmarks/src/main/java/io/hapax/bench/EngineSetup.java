package io.hapax.bench;

/**
 * How the engine is measured.
 *
 * @param batch messages handed in at once
 * @param lanes over how many lanes they are spread, as a poll's records are over partitions
 * @param messages messages of a round
 * @param rounds rounds that count; as many run before
 */
record EngineSetup(int batch, int lanes, int messages, int rounds) {

  private static final int MOST_MESSAGES = 2_000_000;
  private static final int MOST_AT_ONCE = 5000;

  EngineSetup {
    StoresSettings.between("--batch", batch, 1, MOST_AT_ONCE);
    StoresSettings.between("--lanes", lanes, 1, MOST_AT_ONCE);
    StoresSettings.between("--messages", messages, batch, MOST_MESSAGES);
    StoresSettings.between("--rounds", rounds, 1, 1000);
  }

  /** Submissions of a round. */
  int submissions() {
    return messages / batch;
  }

  /** Messages of a round that are really handed in. */
  int handedIn() {
    return submissions() * batch;
  }
}
