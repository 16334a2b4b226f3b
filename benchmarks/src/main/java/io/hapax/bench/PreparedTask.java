package io.hapax.bench;

import io.hapax.mark.ClaimRequest;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;

/** A task on batches of messages that are created before the clock runs. */
abstract class PreparedTask implements Task {

  private final Queue<List<ClaimRequest>> batches = new ArrayDeque<>();
  private final Supplier<List<ClaimRequest>> source;

  /**
   * Creates a task.
   *
   * @param source creates a batch
   */
  PreparedTask(Supplier<List<ClaimRequest>> source) {
    this.source = source;
  }

  @Override
  public final void prepare(int number) {
    for (int i = 0; i < number; i++) {
      batches.add(source.get());
    }
  }

  @Override
  public final void run() throws Exception {
    run(batches.remove());
  }

  abstract void run(List<ClaimRequest> batch) throws Exception;

  /** Returns a task without a state of its own. */
  static Task of(Supplier<List<ClaimRequest>> source, Batched batched) {
    return new PreparedTask(source) {
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
