package io.hapax.bench;

import io.hapax.bench.Contender.Task;
import io.hapax.mark.ClaimRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * One contender with its threads and its rounds so far. All threads start a round together, and it
 * ends with the last one.
 */
final class ContenderRun implements AutoCloseable {

  private static final int MAX_GROWTH = 16;
  private static final int FIRST_ROUNDS = 6;
  private static final int MAX_WARM_UP_ROUNDS = 24;
  private static final int STEADY_ROUNDS = 3;
  private static final double MIN_SPEED_UP = 1.05;

  private final Contender contender;
  private final List<Task> tasks;
  private final ExecutorService threads;
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> claimRates = new ArrayList<>();
  private long clientNanos;
  private long serverNanos;
  private long messages;
  private int batches = 1;

  ContenderRun(Contender contender, int threads) {
    this.contender = contender;
    this.tasks = Stream.generate(contender.tasks()).limit(threads).toList();
    this.threads = Executors.newFixedThreadPool(threads);
  }

  void warmUp(int millis, int atMost) throws Exception {
    findLength(millis, atMost);
    awaitCompiler();
  }

  /**
   * Finds the number of batches for a round. Starts with a few rounds of one batch, because
   * PostgreSQL plans a statement of a connection five times.
   */
  private void findLength(int millis, int atMost) throws Exception {
    for (int i = 0; i < FIRST_ROUNDS; i++) {
      run(prepared());
    }
    int most = Math.max(1, atMost / contender.batch());
    double wanted = millis * 1e6;
    while (true) {
      double growth = wanted / run(prepared());
      boolean longEnough = growth < 1.5 || batches == most;
      batches =
          (int) Math.max(1, Math.min(most, Math.round(batches * Math.min(MAX_GROWTH, growth))));
      if (longEnough) {
        return;
      }
    }
  }

  /**
   * Runs rounds until the compiler is idle. Otherwise the first contender would pay for the
   * compiler, which needs one of the processors for seconds.
   */
  private void awaitCompiler() throws Exception {
    long fastest = Long.MAX_VALUE;
    int steadyRounds = 0;
    for (int i = 0; i < MAX_WARM_UP_ROUNDS && steadyRounds < STEADY_ROUNDS; i++) {
      long nanos = run(prepared());
      steadyRounds = nanos * MIN_SPEED_UP < fastest ? 0 : steadyRounds + 1;
      fastest = Math.min(fastest, nanos);
    }
  }

  double round() throws Exception {
    List<Queue<List<ClaimRequest>>> prepared = prepared();
    long claimedBefore = claimNanos();
    CpuTime before = CpuTime.now();
    long nanos = run(prepared);
    CpuTime after = CpuTime.now();
    clientNanos += after.here() - before.here();
    serverNanos += after.there() - before.there();
    long done = (long) tasks.size() * batches * contender.batch();
    messages += done;
    double rate = done * 1e9 / nanos;
    rates.add(rate);
    long claiming = claimNanos() - claimedBefore;
    claimRates.add(claiming == 0 ? 0 : done * 1e9 * tasks.size() / claiming);
    return rate;
  }

  private long claimNanos() {
    return tasks.stream().mapToLong(Task::claimNanos).sum();
  }

  /** Creates the batches of each thread for a round. Each thread creates its own. */
  private List<Queue<List<ClaimRequest>>> prepared() throws Exception {
    return all(Collections.nCopies(tasks.size(), () -> {
      Queue<List<ClaimRequest>> own = new ArrayDeque<>();
      for (int i = 0; i < batches; i++) {
        own.add(contender.source().get());
      }
      return own;
    }));
  }

  /** Lets each thread run its batches, and returns the elapsed nanoseconds. */
  private long run(List<Queue<List<ClaimRequest>>> prepared) throws Exception {
    CyclicBarrier start = new CyclicBarrier(tasks.size());
    List<Callable<long[]>> parts = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      Queue<List<ClaimRequest>> own = prepared.get(i);
      parts.add(() -> {
        start.await();
        long begin = System.nanoTime();
        while (!own.isEmpty()) {
          task.run(own.remove());
        }
        return new long[] {begin, System.nanoTime()};
      });
    }
    List<long[]> times = all(parts);
    return times.stream().mapToLong(time -> time[1]).max().orElseThrow()
        - times.stream().mapToLong(time -> time[0]).min().orElseThrow();
  }

  private <T> List<T> all(List<Callable<T>> parts) throws Exception {
    List<Future<T>> running = parts.stream().map(threads::submit).toList();
    List<T> outcomes = new ArrayList<>();
    for (Future<T> part : running) {
      try {
        outcomes.add(part.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("a measured thread failed", e.getCause());
      }
    }
    return outcomes;
  }

  void addTo(Map<Contender, Spread> measured) {
    measured.put(contender, Spread.of(rates));
    Spread claims = Spread.of(claimRates);
    if (claims.median() > 0) {
      measured.put(contender.claimOnly(), claims);
    }
  }

  String title() {
    return Benchmark.format(
        "%s of %s, %d at once",
        contender.role().name().toLowerCase(Locale.ROOT),
        contender.operation().title(),
        contender.batch());
  }

  /** Returns the CPU time of a message in the rounds that count. */
  String cpu() {
    return Benchmark.format(
        "  CPU, us a message: this process %.2f, server %.2f%n",
        clientNanos / 1e3 / messages, serverNanos / 1e3 / messages);
  }

  @Override
  public void close() {
    tasks.forEach(Task::close);
    threads.shutdownNow();
  }
}
