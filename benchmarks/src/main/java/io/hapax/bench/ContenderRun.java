package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Task;
import io.hapax.mark.ClaimRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
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
  private final long known;
  private final List<Task> tasks;
  private final ExecutorService threads;
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> claimRates = new ArrayList<>();
  private CpuTime begun = CpuTime.now();
  private CpuTime used = new CpuTime(Map.of());
  private long messages;
  private int batches = 1;

  ContenderRun(Contender contender, Supplier<Task> source, int threads, long known) {
    this.contender = contender;
    this.known = known;
    this.tasks = Stream.generate(source).limit(threads).toList();
    this.threads = Executors.newFixedThreadPool(threads);
  }

  /**
   * Finds the number of batches for a round. Then runs rounds until the compiler is idle. Otherwise
   * the first contender would pay for the compiler, which needs one of the processors for seconds.
   */
  void warmUp(int millis, int atMost) throws Exception {
    for (int i = 0; i < FIRST_ROUNDS; i++) {
      run(); // of one batch, because PostgreSQL plans a statement of a connection five times
    }
    int most = Math.max(1, atMost / contender.batch());
    for (boolean longEnough = false; !longEnough; ) {
      double growth = millis * 1e6 / run();
      longEnough = growth < 1.5 || batches == most;
      batches =
          (int) Math.max(1, Math.min(most, Math.round(batches * Math.min(MAX_GROWTH, growth))));
    }
    long fastest = Long.MAX_VALUE;
    int steadyRounds = 0;
    for (int i = 0; i < MAX_WARM_UP_ROUNDS && steadyRounds < STEADY_ROUNDS; i++) {
      long nanos = run();
      steadyRounds = nanos * MIN_SPEED_UP < fastest ? 0 : steadyRounds + 1;
      fastest = Math.min(fastest, nanos);
    }
  }

  double round() throws Exception {
    long claimedBefore = claimNanos();
    long nanos = run();
    used = used.plus(begun, CpuTime.now());
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

  /**
   * Lets each thread create its batches and run them, and returns the nanoseconds of the latter.
   */
  private long run() throws Exception {
    CyclicBarrier start = new CyclicBarrier(tasks.size(), () -> begun = CpuTime.now());
    List<Future<long[]>> parts = tasks.stream()
        .map(task -> threads.submit(() -> {
          Queue<List<ClaimRequest>> own = new ArrayDeque<>();
          for (int i = 0; i < batches; i++) {
            own.add(contender.messages(known));
          }
          start.await();
          long begin = System.nanoTime();
          while (!own.isEmpty()) {
            task.run(own.remove());
          }
          return new long[] {begin, System.nanoTime()};
        }))
        .toList();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Future<long[]> part : parts) {
      first = Math.min(first, part.get()[0]);
      last = Math.max(last, part.get()[1]);
    }
    return last - first;
  }

  void addTo(Map<Contender, Spread> measured) {
    measured.put(contender, Spread.of(rates));
    Spread claims = Spread.of(claimRates);
    if (claims.median() > 0) {
      measured.put(new Contender(Operation.CLAIM, contender.role(), contender.batch()), claims);
    }
  }

  String title() {
    return Benchmark.format(
        "%s of %s, %d at once",
        contender.role().name().toLowerCase(Locale.ROOT),
        contender.operation().title(),
        contender.batch());
  }

  String cpu() {
    return used.text(messages);
  }

  @Override
  public void close() {
    tasks.forEach(Task::close);
    threads.shutdownNow();
  }
}
