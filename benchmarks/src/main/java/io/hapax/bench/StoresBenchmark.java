package io.hapax.bench;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures stores, one after the other: only one server runs at a time. */
final class StoresBenchmark {

  /** Known messages that are there in any case: how else could they be claimed. */
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

  Findings run() throws Exception {
    Instant begin = Instant.now();
    double loadBefore = Machine.load();
    Map<String, String> machine = Machine.description();
    Map<StoreKind, Map<String, String>> servers = new LinkedHashMap<>();
    List<Row> rows = new ArrayList<>();
    for (StoreKind kind : settings.stores()) {
      progress.println("  starting " + kind);
      try (Place place = kind.open()) {
        servers.put(kind, place.settings());
        for (long marks : settings.marks()) {
          if (!kind.small() || marks <= MOST_IN_PROCESS) {
            rows.addAll(measure(kind, place, marks));
          } else {
            leftOut.add(String.format(
                Locale.ROOT,
                "%s with %,d marks: stores inside this process share it with what measures them, and"
                    + " are measured with %,d at most",
                kind,
                marks,
                MOST_IN_PROCESS));
          }
        }
      }
    }
    return new Findings(
        begin, settings, machine, loadBefore, Machine.load(), servers, rows, leftOut, profiles);
  }

  /**
   * What a race has left in the store should not be there in the next; where very many marks are
   * there anyhow, it makes no difference, and filling takes long.
   */
  private List<Row> measure(StoreKind kind, Place place, long marks) throws Exception {
    List<Row> rows = new ArrayList<>();
    long known = Math.max(KNOWN_AT_LEAST, marks);
    boolean empty = true;
    for (int threads : settings.threads()) {
      long begin = System.nanoTime();
      if (empty || known < FILLED_ONCE) {
        place.fill(known);
        empty = false;
      }
      long filled = System.nanoTime();
      List<Contender> contenders = new ArrayList<>(place.floors());
      settings.batches().forEach(batch -> contenders.addAll(place.contenders(batch, known)));
      rows.addAll(Rows.of(
          kind, marks, threads, new Race(settings.pace(), threads, place.pid()).run(contenders)));
      if (settings.profile()) {
        for (Contender contender : place.contenders(largestBatch(), known)) {
          profiles.add(profile(kind, place, threads, contender));
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

  /** A round under the recorder, while the server counts too. */
  private String profile(StoreKind kind, Place place, int threads, Contender contender)
      throws Exception {
    try (Crew crew = new Crew(threads);
        Heat heat = new Heat(contender, crew, place.pid())) {
      heat.warmUp(settings.pace());
      place.countAnew();
      HotSpots spots = HotSpots.of(() -> {
        for (int round = 0; round < settings.pace().rounds(); round++) {
          heat.round();
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
          heat.messages(),
          heat.measured().clientMicros(),
          heat.measured().serverMicros(),
          place.counted(),
          spots.text());
    }
  }
}
