package io.hapax.bench;

/** What one thread does, batch after batch. Used by one thread at a time. */
interface Task extends AutoCloseable {

  /** Makes the messages of that many batches; not timed. */
  void prepare(int batches);

  /** Does one batch that was prepared, and fails unless everything in it came out as expected. */
  void run() throws Exception;

  /** How long claims took so far, if the task does more than claim; else 0. */
  default long claimNanos() {
    return 0;
  }

  @Override
  default void close() {}
}
