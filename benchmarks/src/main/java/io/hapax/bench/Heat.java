package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** One contender with its threads' tasks, and the rounds that it has run so far. */
final class Heat implements AutoCloseable {

  private static final int MAX_GROWTH = 16;
  private static final int FIRST_ROUNDS = 6;

  private final Contender contender;
  private final Crew crew;
  private final OptionalLong serverPid;
  private final List<Task> tasks;
  private final List<Double> rates = new ArrayList<>();
  private final List<Double> claimRates = new ArrayList<>();
  private CpuTime cpu = CpuTime.ZERO;
  private long messages;
  private int batches = 1;

  Heat(Contender contender, Crew crew, OptionalLong serverPid) {
    this.contender = contender;
    this.crew = crew;
    this.serverPid = serverPid;
    this.tasks = IntStream.range(0, crew.size())
        .mapToObj(thread -> contender.tasks().get())
        .toList();
  }

  Contender contender() {
    return contender;
  }

  /**
   * Runs longer and longer rounds until one takes about as long as it should; before that a few of
   * one batch, because PostgreSQL plans a statement anew for the first five times of a connection.
   */
  void warmUp(Pace pace) throws Exception {
    for (int i = 0; i < FIRST_ROUNDS; i++) {
      crew.prepare(tasks, 1);
      crew.round(tasks, 1);
    }
    int most = Math.max(1, pace.atMost() / contender.batch());
    double wanted = pace.millis() * 1e6;
    while (true) {
      crew.prepare(tasks, batches);
      double growth = wanted / crew.round(tasks, batches);
      boolean longEnough = growth < 1.5 || batches == most;
      batches =
          (int) Math.max(1, Math.min(most, Math.round(batches * Math.min(MAX_GROWTH, growth))));
      if (longEnough) {
        return;
      }
    }
  }

  /** Runs a round that counts. */
  void round() throws Exception {
    crew.prepare(tasks, batches);
    long claimedBefore = claimNanos();
    CpuTime before = CpuTime.now(serverPid);
    long nanos = crew.round(tasks, batches);
    cpu = cpu.plus(CpuTime.now(serverPid).minus(before));
    long done = (long) crew.size() * batches * contender.batch();
    messages += done;
    rates.add(done * 1e9 / nanos);
    long claiming = claimNanos() - claimedBefore;
    claimRates.add(claiming == 0 ? 0 : done * 1e9 * crew.size() / claiming);
  }

  private long claimNanos() {
    return tasks.stream().mapToLong(Task::claimNanos).sum();
  }

  Measured measured() {
    return new Measured(
        Spread.of(rates),
        Spread.of(claimRates),
        cpu.client() / 1e3 / messages,
        cpu.server() / 1e3 / messages);
  }

  @Override
  public void close() {
    tasks.forEach(Task::close);
  }
}
