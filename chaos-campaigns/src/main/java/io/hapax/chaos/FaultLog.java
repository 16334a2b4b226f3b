package io.hapax.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Records the orders that the faults of a run hit, and the time until the consumers continued. */
final class FaultLog {

  private final List<Kill> kills = new ArrayList<>();
  private final List<Disruption> disruptions = new ArrayList<>();
  private final Map<Disruption, Long> interruptions = new LinkedHashMap<>();
  private final Map<String, Integer> hits = new HashMap<>();
  private Standstill longestStandstill = new Standstill("the start", Duration.ZERO);
  private int killsRepeated;

  /**
   * Adds a kill that hit orders in flight.
   *
   * @param nanos its time, as {@link System#nanoTime}
   */
  void killed(Kill kill, long nanos) {
    kills.add(kill);
    disruptions.add(kill);
    interruptions.put(kill, nanos);
  }

  /**
   * Adds a stop.
   *
   * @param nanos its time, as {@link System#nanoTime}
   */
  void stopped(Stop stop, long nanos) {
    disruptions.add(stop);
    interruptions.put(stop, nanos);
  }

  /** Counts a kill that hit no order in flight. */
  void missed() {
    killsRepeated++;
  }

  /** Adds an outage of the store. */
  void disrupted(Outage outage) {
    disruptions.add(outage);
  }

  /** Counts a fault other than a kill, and returns the count of this name. */
  int hit(String name) {
    return hits.merge(name, 1, Integer::sum);
  }

  /** Adds a time in which the consumers settled no message. */
  void stoodStill(Standstill standstill) {
    if (standstill.time().compareTo(longestStandstill.time()) > 0) {
      longestStandstill = standstill;
    }
  }

  List<Kill> kills() {
    return List.copyOf(kills);
  }

  /** Returns all disruptions that may have left effects in doubt: kills, stops and outages. */
  List<Disruption> disruptions() {
    return List.copyOf(disruptions);
  }

  /** Returns the number of disruptions of a kind. */
  int count(Class<? extends Disruption> kind) {
    return (int) of(kind).count();
  }

  /** Returns the number of orders in flight at all disruptions of a kind together. */
  int inFlightAt(Class<? extends Disruption> kind) {
    return of(kind).mapToInt(each -> each.inFlight().size()).sum();
  }

  /** Returns the number of orders in doubt at all disruptions of a kind together. */
  int inDoubtAt(Class<? extends Disruption> kind) {
    return of(kind).mapToInt(each -> each.inDoubt().size()).sum();
  }

  private Stream<Disruption> of(Class<? extends Disruption> kind) {
    return disruptions.stream().filter(kind::isInstance);
  }

  /**
   * Returns the number of kills after which other consumers may have taken over before shop and
   * store were compared. Each order in flight may repeat then.
   */
  int killsComparedLate() {
    return (int) kills.stream().filter(Kill::late).count();
  }

  /** Returns the number of faults of this kind that hit orders in flight, other than kills. */
  int hits(Fault fault) {
    return hits(fault.title());
  }

  /** Returns the number of faults of this name that hit orders in flight. */
  int hits(String name) {
    return hits.getOrDefault(name, 0);
  }

  /** Returns the number of kills that hit no order in flight, and were repeated. */
  int killsRepeated() {
    return killsRepeated;
  }

  /**
   * Returns the longest time in which consumers settled no message after their store or broker was
   * killed.
   */
  Standstill longestStandstill() {
    return longestStandstill;
  }

  /** Returns the kills and stops, after which other consumers complete the orders, with their times. */
  Map<Disruption, Long> interruptions() {
    return Map.copyOf(interruptions);
  }
}
