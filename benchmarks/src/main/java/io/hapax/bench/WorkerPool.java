package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Runs the threads of a measurement. All start together, and a round ends with the last thread. */
final class WorkerPool implements AutoCloseable {

  private final int size;
  private final ExecutorService threads;

  WorkerPool(int size) {
    this.size = size;
    this.threads = Executors.newFixedThreadPool(size);
  }

  int size() {
    return size;
  }

  /** Creates the messages of the next round. */
  void prepare(List<Task> tasks, int batches) throws Exception {
    all(tasks, task -> () -> {
      task.prepare(batches);
      return new long[0];
    });
  }

  /**
   * Lets each thread run that number of batches of its task, and returns the elapsed nanoseconds.
   */
  long round(List<Task> tasks, int batches) throws Exception {
    CyclicBarrier start = new CyclicBarrier(size);
    List<long[]> times = all(tasks, task -> () -> {
      start.await();
      long begin = System.nanoTime();
      for (int i = 0; i < batches; i++) {
        task.run();
      }
      return new long[] {begin, System.nanoTime()};
    });
    return times.stream().mapToLong(time -> time[1]).max().orElseThrow()
        - times.stream().mapToLong(time -> time[0]).min().orElseThrow();
  }

  private List<long[]> all(List<Task> tasks, Function<Task, Callable<long[]>> part)
      throws Exception {
    List<Future<long[]>> parts =
        tasks.stream().map(task -> threads.submit(part.apply(task))).toList();
    List<long[]> outcomes = new ArrayList<>();
    for (Future<long[]> each : parts) {
      try {
        outcomes.add(each.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("a measured thread failed", e.getCause());
      }
    }
    return outcomes;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
