package io.hapax.bench;

/**
 * The settings of the engine benchmark.
 *
 * @param batch messages of a submission
 * @param lanes the number of lanes of a submission, like the partitions of a poll
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

  /** Returns the submissions of a round. */
  int submissions() {
    return messages / batch;
  }

  /** Returns the messages of a round, rounded to whole submissions. */
  int submitted() {
    return submissions() * batch;
  }
}
