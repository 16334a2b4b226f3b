package io.hapax.bench;

import io.hapax.mark.ClaimRequest;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;

/** A task on batches of messages that were made before the clock runs. */
abstract class Prepared implements Task {

  private final Queue<List<ClaimRequest>> batches = new ArrayDeque<>();
  private final Supplier<List<ClaimRequest>> source;

  /**
   * A task.
   *
   * @param source makes a batch
   */
  Prepared(Supplier<List<ClaimRequest>> source) {
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

  /** A task without a state of its own. */
  static Task of(Supplier<List<ClaimRequest>> source, Batched batched) {
    return new Prepared(source) {
      @Override
      void run(List<ClaimRequest> batch) throws Exception {
        batched.run(batch);
      }
    };
  }

  /** What is done with a batch. */
  @FunctionalInterface
  interface Batched {
    void run(List<ClaimRequest> batch) throws Exception;
  }
}
