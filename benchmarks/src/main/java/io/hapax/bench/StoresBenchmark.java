package io.hapax.bench;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures stores one after the other, with only one server at a time. */
final class StoresBenchmark {

  /** The least number of known messages, because claims of known messages need some. */
  static final long KNOWN_AT_LEAST = 10_000;

  private static final long MOST_IN_PROCESS = 1_000_000;
  private static final long FILLED_ONCE = 500_000;

  private final StoresSettings settings;
  private final PrintWriter progress;
  private final List<String> profiles = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();

  StoresBenchmark(StoresSettings settings, PrintWriter progress) {
    this.settings = settings;
    this.progress = progress;
  }

  StoresResults run() throws Exception {
    Instant begin = Instant.now();
    double loadBefore = Machine.load();
    Map<String, String> machine = Machine.description();
    Map<StoreKind, Map<String, String>> servers = new LinkedHashMap<>();
    List<Row> rows = new ArrayList<>();
    for (StoreKind kind : settings.stores()) {
      progress.println("  starting " + kind);
      try (BenchmarkTarget target = kind.open()) {
        servers.put(kind, target.settings());
        for (long marks : settings.marks()) {
          if (!kind.small() || marks <= MOST_IN_PROCESS) {
            rows.addAll(measure(kind, target, marks));
          } else {
            leftOut.add(String.format(
                Locale.ROOT,
                "%s with %,d marks: stores inside this process share its memory and are measured with"
                    + " at most %,d",
                kind,
                marks,
                MOST_IN_PROCESS));
          }
        }
      }
    }
    return new StoresResults(
        begin, settings, machine, loadBefore, Machine.load(), servers, rows, leftOut, profiles);
  }

  /**
   * Measures a store, and fills it again for each race to remove the marks of the race before. With
   * very many marks this makes no difference and takes long, so it is left out.
   */
  private List<Row> measure(StoreKind kind, BenchmarkTarget target, long marks) throws Exception {
    List<Row> rows = new ArrayList<>();
    long known = Math.max(KNOWN_AT_LEAST, marks);
    boolean empty = true;
    for (int threads : settings.threads()) {
      long begin = System.nanoTime();
      if (empty || known < FILLED_ONCE) {
        target.fill(known);
        empty = false;
      }
      long filled = System.nanoTime();
      List<Contender> contenders = new ArrayList<>(target.floors());
      settings.batches().forEach(batch -> contenders.addAll(target.contenders(batch, known)));
      rows.addAll(Rows.of(
          kind,
          marks,
          threads,
          new InterleavedRun(settings.pace(), threads, target.pid()).run(contenders)));
      if (settings.profile()) {
        for (Contender contender : target.contenders(largestBatch(), known)) {
          profiles.add(profile(kind, target, threads, contender));
        }
      }
      progress.printf(
          Locale.ROOT,
          "  %s, %,d marks (filled in %.1f s), threads %d: measured in %.1f s%n",
          kind,
          marks,
          (filled - begin) / 1e9,
          threads,
          (System.nanoTime() - filled) / 1e9);
    }
    return rows;
  }

  private int largestBatch() {
    return settings.batches().get(settings.batches().size() - 1);
  }

  /** Profiles a round with the recorder and the server's counters. */
  private String profile(StoreKind kind, BenchmarkTarget target, int threads, Contender contender)
      throws Exception {
    try (WorkerPool workers = new WorkerPool(threads);
        ContenderRun run = new ContenderRun(contender, workers, target.pid())) {
      run.warmUp(settings.pace());
      target.resetCounters();
      HotSpots spots = HotSpots.of(() -> {
        for (int round = 0; round < settings.pace().rounds(); round++) {
          run.round();
        }
      });
      return String.format(
          Locale.ROOT,
          "%nProfile: %s, %s of %s, %d threads; CPU of each of %,d messages %.1f us here, %.1f us there%n"
              + "%s%s",
          kind,
          contender.role().name().toLowerCase(Locale.ROOT),
          contender.operation().title(),
          threads,
          run.messages(),
          run.measured().clientMicros(),
          run.measured().serverMicros(),
          target.counters(),
          spots.text());
    }
  }
}
