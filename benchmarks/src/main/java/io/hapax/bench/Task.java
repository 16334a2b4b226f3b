package io.hapax.bench;

/** The work of one thread, batch after batch. Used by one thread at a time. */
interface Task extends AutoCloseable {

  /** Creates the messages of that number of batches; not timed. */
  void prepare(int batches);

  /** Runs one prepared batch. Throws if a result is unexpected. */
  void run() throws Exception;

  /** Returns the time of all claims so far, if the task does more than claim; otherwise 0. */
  default long claimNanos() {
    return 0;
  }

  @Override
  default void close() {}
}
