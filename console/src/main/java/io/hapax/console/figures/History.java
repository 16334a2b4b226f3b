package io.hapax.console.figures;

import io.hapax.console.view.Curve;
import io.hapax.console.view.Figure;
import io.hapax.console.view.NowView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the latest readings of the figures. A request triggers a reading, at most one at a time, so
 * that several open pages cause no more store calls than one page.
 */
public final class History {

  /** The minimum time between two readings. */
  public static final Duration INTERVAL = Duration.ofSeconds(2);

  private static final int KEPT = 300;

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
    Figures.Snapshot snapshot = figures.read();
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
    return new NowView(
        last.at(),
        figures.standalone(),
        last.snapshot().figures(),
        curves(),
        last.snapshot().problems());
  }

  private List<Curve> curves() {
    List<Reading> all;
    synchronized (readings) {
      all = List.copyOf(readings);
    }
    Map<String, List<Curve.Point>> points = new LinkedHashMap<>();
    for (Reading reading : all) {
      for (Figure figure : reading.snapshot().figures()) {
        figure
            .value()
            .ifPresent(value -> points
                .computeIfAbsent(figure.name(), it -> new ArrayList<>())
                .add(new Curve.Point(reading.at(), value)));
      }
    }
    List<Curve> curves = new ArrayList<>();
    points.forEach((name, values) -> curves.add(new Curve(name, values)));
    return curves;
  }
}
