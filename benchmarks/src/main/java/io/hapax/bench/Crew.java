package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads of a measurement. All start together, and a round ends with the last of them. */
final class Crew implements AutoCloseable {

  private final int size;
  private final ExecutorService threads;

  Crew(int size) {
    this.size = size;
    this.threads = Executors.newFixedThreadPool(size);
  }

  int size() {
    return size;
  }

  /** Lets each thread do that many batches of its task; gives the nanoseconds from start to end. */
  long round(List<Task> tasks, int batches) throws Exception {
    CyclicBarrier start = new CyclicBarrier(size);
    List<Future<long[]>> ends = new ArrayList<>();
    for (Task task : tasks) {
      ends.add(threads.submit(part(task, batches, start)));
    }
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Future<long[]> end : ends) {
      long[] times = outcome(end);
      first = Math.min(first, times[0]);
      last = Math.max(last, times[1]);
    }
    return last - first;
  }

  private static Callable<long[]> part(Task task, int batches, CyclicBarrier start) {
    return () -> {
      task.prepare(batches);
      start.await();
      long begin = System.nanoTime();
      for (int i = 0; i < batches; i++) {
        task.run();
      }
      return new long[] {begin, System.nanoTime()};
    };
  }

  private static long[] outcome(Future<long[]> end) throws Exception {
    try {
      return end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a measured thread failed", e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
