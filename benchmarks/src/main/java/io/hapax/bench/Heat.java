package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** One contender with its threads' tasks, and the rounds that it has run so far. */
final class Heat implements AutoCloseable {

  private static final int MAX_GROWTH = 16;
  private static final int FIRST_ROUNDS = 6;
  private static final int MOST_LIKE_ONES_THAT_COUNT = 24;
  private static final int WITHOUT_A_RISE = 3;
  private static final double RISE = 1.05;

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
   * Runs longer and longer rounds until one takes about as long as it should, and then goes on
   * until they get no faster.
   */
  void warmUp(Pace pace) throws Exception {
    findLength(pace);
    awaitCompiler();
  }

  /** First a few of one batch: PostgreSQL plans a connection's statement anew five times. */
  private void findLength(Pace pace) throws Exception {
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

  /**
   * What is measured first would pay for the compiler of this process, which needs seconds and one
   * of the processors.
   */
  private void awaitCompiler() throws Exception {
    long fastest = Long.MAX_VALUE;
    int withoutARise = 0;
    for (int i = 0; i < MOST_LIKE_ONES_THAT_COUNT && withoutARise < WITHOUT_A_RISE; i++) {
      crew.prepare(tasks, batches);
      long nanos = crew.round(tasks, batches);
      withoutARise = nanos * RISE < fastest ? 0 : withoutARise + 1;
      fastest = Math.min(fastest, nanos);
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

  /** Of the rounds that count. */
  long messages() {
    return messages;
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
