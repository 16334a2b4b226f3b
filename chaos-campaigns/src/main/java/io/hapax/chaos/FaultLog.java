package io.hapax.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Records the orders that the faults of a run hit, and the time until the consumers continued. */
final class FaultLog {

  private final List<Disruption> disruptions = new ArrayList<>();
  private final Map<Disruption, Long> interruptions = new LinkedHashMap<>();
  private final Map<Fault, Integer> hits = new EnumMap<>(Fault.class);
  private Standstill longestStandstill = new Standstill("the start", Duration.ZERO);
  private int killsRepeated;

  /**
   * Adds a disruption.
   *
   * @param nanos its time, as {@link System#nanoTime}
   */
  void disrupted(Disruption disruption, long nanos) {
    disruptions.add(disruption);
    if (disruption.fault() != Fault.STORE_RESTART) {
      interruptions.put(disruption, nanos);
    }
  }

  /** Counts a fault that hit orders in flight, and returns the count of its kind. */
  int hit(Fault fault) {
    return hits.merge(fault, 1, Integer::sum);
  }

  /** Counts a kill that hit no order in flight. */
  void missed() {
    killsRepeated++;
  }

  /** Adds a time in which the consumers settled no message. */
  void stoodStill(Standstill standstill) {
    if (standstill.time().compareTo(longestStandstill.time()) > 0) {
      longestStandstill = standstill;
    }
  }

  /** Returns all disruptions that may have left effects in doubt: kills, stops and outages. */
  List<Disruption> disruptions() {
    return List.copyOf(disruptions);
  }

  /** Returns the number of disruptions of a kind. */
  int count(Fault kind) {
    return (int) of(kind).count();
  }

  /** Returns the number of orders in flight at all disruptions of a kind together. */
  int inFlightAt(Fault kind) {
    return of(kind).mapToInt(each -> each.inFlight().size()).sum();
  }

  /** Returns the number of orders in doubt at all disruptions of a kind together. */
  int inDoubtAt(Fault kind) {
    return of(kind).mapToInt(each -> each.inDoubt().size()).sum();
  }

  private Stream<Disruption> of(Fault kind) {
    return disruptions.stream().filter(each -> each.fault() == kind);
  }

  /**
   * Returns the number of kills after which other consumers may have taken over before shop and
   * store were compared. Each order in flight may repeat then.
   */
  int killsComparedLate() {
    return (int) of(Fault.KILL).filter(Disruption::wide).count();
  }

  /** Returns the number of faults of this kind that hit orders in flight. */
  int hits(Fault fault) {
    return hits.getOrDefault(fault, 0);
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

  /**
   * Returns the kills and stops, after which other consumers complete the orders, with their times.
   */
  Map<Disruption, Long> interruptions() {
    return Map.copyOf(interruptions);
  }
}
