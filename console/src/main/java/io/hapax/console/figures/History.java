package io.hapax.console.figures;

import io.hapax.console.view.Curve;
import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import io.hapax.console.view.ProblemRow;
import io.hapax.operations.text.TextExceptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the latest readings of the figures. A request triggers a reading, at most one at a time, so
 * that several open pages cause no more store calls than one page.
 */
public final class History {

  /** The minimum time between two readings. */
  public static final Duration INTERVAL = Duration.ofSeconds(2);

  private static final int KEPT = 300;

  /** A rate is that of this time. */
  private static final Duration RATE = Duration.ofSeconds(10);

  private record Reading(Instant at, Figures.Snapshot snapshot) {}

  private final Figures figures;
  private final InstantSource clock;
  private final Deque<Reading> readings = new ArrayDeque<>();
  private final ReentrantLock reader = new ReentrantLock();

  /** Creates an empty history. */
  public History(Figures figures, InstantSource clock) {
    this.figures = figures;
    this.clock = clock;
  }

  /**
   * {@return the figures} Reads them again if the latest reading is older than {@link #INTERVAL}.
   * While another caller reads, this method returns the latest reading.
   */
  public NowView view() {
    Optional<Reading> last = newest();
    if (last.isEmpty()) {
      reader.lock(); // no earlier reading exists
    } else if (isFresh(last.get()) || !reader.tryLock()) {
      return view(last.get());
    }
    try {
      Optional<Reading> meanwhile = newest().filter(this::isFresh);
      return view(meanwhile.isPresent() ? meanwhile.get() : read());
    } finally {
      reader.unlock();
    }
  }

  private boolean isFresh(Reading reading) {
    return clock.instant().isBefore(reading.at().plus(INTERVAL));
  }

  private Optional<Reading> newest() {
    synchronized (readings) {
      return Optional.ofNullable(readings.peekLast());
    }
  }

  /** Reads the figures. A reading has the time of its end, so that a slow one is not too old. */
  private Reading read() {
    Figures.Snapshot snapshot;
    try {
      snapshot = figures.read();
    } catch (RuntimeException e) { // every page shows it
      ProblemRow why =
          new ProblemRow("INTERNAL_ERROR", "", clock.instant(), TextExceptions.text(e));
      snapshot = new Figures.Snapshot(List.of(), List.of(why));
    }
    Reading reading = new Reading(clock.instant(), snapshot);
    synchronized (readings) {
      readings.addLast(reading);
      if (readings.size() > KEPT) {
        readings.removeFirst();
      }
    }
    return reading;
  }

  private NowView view(Reading last) {
    Instant oldest = last.snapshot().answered().values().stream()
        .filter(last.at()::isAfter)
        .min(Comparator.naturalOrder())
        .orElse(last.at());
    return new NowView(
        last.at(),
        figures.standalone(),
        last.snapshot().figures(),
        curves(),
        last.snapshot().problems(),
        Duration.between(oldest, clock.instant()));
  }

  private List<Curve> curves() {
    List<Reading> all;
    synchronized (readings) {
      all = List.copyOf(readings);
    }
    List<Curve> curves = new ArrayList<>();
    for (String name : Curve.NAMES) {
      List<Curve.Point> points = new ArrayList<>();
      boolean known = false;
      for (int i = 0; i < all.size(); i++) {
        known |= count(all.get(i), name).isPresent();
        points.add(new Curve.Point(all.get(i).at(), value(all, i, name)));
      }
      if (known) {
        curves.add(new Curve(name, points));
      }
    }
    return curves;
  }

  /** Returns a value or, of a counter, its rate in the seconds before; NaN if it is unknown. */
  private static double value(List<Reading> all, int at, String name) {
    OptionalLong count = count(all.get(at), name);
    if (count.isEmpty() || !Curve.isRate(name)) {
      return count.isEmpty() ? Double.NaN : count.getAsLong();
    }
    int from = at;
    while (from > 0 && between(all.get(from - 1), all.get(at)).compareTo(RATE) <= 0) {
      from--;
    }
    Reading begin = all.get(from == at ? Math.max(0, at - 1) : from);
    OptionalLong before = count(begin, name);
    double seconds = between(begin, all.get(at)).toMillis() / 1000.0;
    return before.isEmpty() || seconds == 0 || before.getAsLong() > count.getAsLong()
        ? Double.NaN
        : (count.getAsLong() - before.getAsLong()) / seconds;
  }

  private static Duration between(Reading first, Reading second) {
    return Duration.between(first.at(), second.at());
  }

  private static OptionalLong count(Reading reading, String name) {
    if (name.equals("messages-rate")) {
      OptionalLong executed = figure(reading, "executed");
      long duplicates = figure(reading, "duplicates").orElse(0);
      return executed.isEmpty() ? executed : OptionalLong.of(executed.getAsLong() + duplicates);
    }
    return figure(reading, name.replace("-rate", ""));
  }

  private static OptionalLong figure(Reading reading, String name) {
    return reading.snapshot().figures().stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .map(Figure::value)
        .orElse(OptionalLong.empty());
  }
}
