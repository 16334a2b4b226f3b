package io.hapax.bench;

import io.hapax.mark.ClaimRequest;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * The work of one thread, batch after batch, on messages that are created before the clock runs.
 * Used by one thread at a time.
 */
abstract class Task implements AutoCloseable {

  private final Queue<List<ClaimRequest>> batches = new ArrayDeque<>();
  private final Supplier<List<ClaimRequest>> source;

  /**
   * Creates a task.
   *
   * @param source creates a batch
   */
  Task(Supplier<List<ClaimRequest>> source) {
    this.source = source;
  }

  /** Creates the messages of that number of batches; not timed. */
  final void prepare(int number) {
    for (int i = 0; i < number; i++) {
      batches.add(source.get());
    }
  }

  /** Runs one prepared batch. */
  final void run() throws Exception {
    run(batches.remove());
  }

  /** Runs a batch. Throws if a result is unexpected. */
  abstract void run(List<ClaimRequest> batch) throws Exception;

  /** Returns the time of all claims so far, if the task does more than claim; otherwise 0. */
  long claimNanos() {
    return 0;
  }

  @Override
  public void close() {}

  /** Returns a task without a state of its own. */
  static Task of(Supplier<List<ClaimRequest>> source, Batched batched) {
    return new Task(source) {
      @Override
      void run(List<ClaimRequest> batch) throws Exception {
        batched.run(batch);
      }
    };
  }

  /** Processes a batch. */
  @FunctionalInterface
  interface Batched {
    void run(List<ClaimRequest> batch) throws Exception;
  }
}
