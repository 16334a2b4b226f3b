package io.hapax.bench;

/** Measures one operation of a store without Kafka, in turns. It warms up before the first. */
final class StoreAlone implements AutoCloseable {

  private static final int ROUND_MILLIS = 250;
  private static final int MOST_MESSAGES_OF_A_ROUND = 100_000;

  private final WorkerPool workers;
  private final ContenderRun run;

  /**
   * Creates a measurement.
   *
   * @param target the store, filled with known messages
   * @param operation the operation
   * @param batch messages of a call
   * @param threads the number of threads
   * @param known the number of known messages
   */
  StoreAlone(BenchmarkTarget target, Operation operation, int batch, int threads, long known)
      throws Exception {
    workers = new WorkerPool(threads);
    Contender contender = target.contenders(batch, known).stream()
        .filter(it -> it.role() == Role.HAPAX && it.operation() == operation)
        .findFirst()
        .orElseThrow();
    run = new ContenderRun(contender, workers);
    run.warmUp(ROUND_MILLIS, MOST_MESSAGES_OF_A_ROUND);
  }

  /** Returns messages a second of a turn with a number of rounds. */
  double rate(int rounds) throws Exception {
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
      sum += run.round();
    }
    return sum / rounds;
  }

  /** Returns the rounds of a turn. */
  static int rounds(long millis) {
    return (int) Math.max(1, millis / ROUND_MILLIS);
  }

  @Override
  public void close() {
    run.close();
    workers.close();
  }
}
