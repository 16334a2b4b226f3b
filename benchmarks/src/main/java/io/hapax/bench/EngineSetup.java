package io.hapax.bench;

/**
 * The work of a round of the engine.
 *
 * @param batch messages of a submission
 * @param lanes the number of lanes of a submission, like the partitions of a poll
 * @param submissions submissions of a round, one after the other, like a poll loop
 */
record EngineSetup(int batch, int lanes, int submissions) {

  /** Returns the messages of a round. */
  int messages() {
    return submissions * batch;
  }

  /** Runs a round of a subject. */
  EngineSubject.Cost cost(EngineSubject subject) throws Exception {
    try (EngineSubject.Round round = subject.round(this)) {
      ThreadMeter meter = new ThreadMeter();
      long begin = System.nanoTime();
      round.run();
      long nanos = System.nanoTime() - begin;
      return EngineSubject.Cost.of(messages(), nanos, meter.use());
    }
  }
}
