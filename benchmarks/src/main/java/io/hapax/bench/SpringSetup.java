package io.hapax.bench;

/**
 * The settings of a benchmark of Spring listeners.
 *
 * @param messages records of the topic, which each listener reads from its beginning
 * @param partitions partitions of the topic
 * @param concurrency consumers of a listener
 * @param length the length of the measurement
 */
record SpringSetup(int messages, int partitions, int concurrency, TurnLength length) {

  /** Kafka's default of {@code max.poll.records}. */
  private static final int POLL = 500;

  SpringSetup {
    StoresSettings.between("--messages", messages, 100, 2_000_000);
    StoresSettings.between("--partitions", partitions, 1, 64);
    StoresSettings.between("--concurrency", concurrency, 1, partitions);
  }

  /**
   * Returns the first records of each partition, which do not count. In transactional mode the
   * first poll of each partition runs in one-by-one mode.
   */
  long skipped(SpringSubject subject) {
    return subject.idempotent() ? Math.min(POLL, messages / partitions / 2) : 0;
  }
}
