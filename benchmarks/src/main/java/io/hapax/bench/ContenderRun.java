package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** One contender with the tasks of its threads and its rounds so far. */
final class ContenderRun implements AutoCloseable {

  private static final int MAX_GROWTH = 16;
  private static final int FIRST_ROUNDS = 6;
  private static final int MAX_WARM_UP_ROUNDS = 24;
  private static final int STEADY_ROUNDS = 3;
  private static final double MIN_SPEED_UP = 1.05;

  private final Contender contender;
  private final WorkerPool workers;
  private final List<Task> tasks;
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> claimRates = new ArrayList<>();
  private long clientNanos;
  private long serverNanos;
  private long messages;
  private int batches = 1;

  ContenderRun(Contender contender, WorkerPool workers) {
    this.contender = contender;
    this.workers = workers;
    this.tasks = IntStream.range(0, workers.size())
        .mapToObj(thread -> contender.tasks().get())
        .toList();
  }

  Contender contender() {
    return contender;
  }

  /**
   * Runs longer and longer rounds until one has the required time, and then until they get no
   * faster.
   *
   * @param millis the time of a round
   * @param atMost the most messages of a thread in a round
   */
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
      workers.prepare(tasks, 1);
      workers.round(tasks, 1);
    }
    int most = Math.max(1, atMost / contender.batch());
    double wanted = millis * 1e6;
    while (true) {
      workers.prepare(tasks, batches);
      double growth = wanted / workers.round(tasks, batches);
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
      workers.prepare(tasks, batches);
      long nanos = workers.round(tasks, batches);
      steadyRounds = nanos * MIN_SPEED_UP < fastest ? 0 : steadyRounds + 1;
      fastest = Math.min(fastest, nanos);
    }
  }

  /** Runs a round that counts, and returns its messages a second. */
  double round() throws Exception {
    workers.prepare(tasks, batches);
    long claimedBefore = claimNanos();
    CpuTime before = CpuTime.now();
    long nanos = workers.round(tasks, batches);
    CpuTime after = CpuTime.now();
    clientNanos += after.here() - before.here();
    serverNanos += after.there() - before.there();
    long done = (long) workers.size() * batches * contender.batch();
    messages += done;
    double rate = done * 1e9 / nanos;
    rates.add(rate);
    long claiming = claimNanos() - claimedBefore;
    claimRates.add(claiming == 0 ? 0 : done * 1e9 * workers.size() / claiming);
    return rate;
  }

  private long claimNanos() {
    return tasks.stream().mapToLong(Task::claimNanos).sum();
  }

  /** Returns the messages of the rounds that count. */
  long messages() {
    return messages;
  }

  Measurement measured() {
    return new Measurement(
        Spread.of(rates),
        Spread.of(claimRates),
        clientNanos / 1e3 / messages,
        serverNanos / 1e3 / messages);
  }

  @Override
  public void close() {
    tasks.forEach(Task::close);
  }
}
