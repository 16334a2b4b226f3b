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

  /** All disruptions that may have left effects in doubt: kills, stops and outages. */
  final List<Disruption> disruptions = new ArrayList<>();

  /** The kills and stops, after which other consumers complete the orders, with their times. */
  final Map<Disruption, Long> interruptions = new LinkedHashMap<>();

  /** The longest time in which nothing was settled after the store or the broker was killed. */
  Standstill longestStandstill = new Standstill("the start", Duration.ZERO);

  /** The number of kills that hit no order in flight, and were repeated. */
  int killsRepeated;

  private final Map<FaultKind, Integer> hits = new EnumMap<>(FaultKind.class);

  void disrupted(Disruption disruption, long nanos) {
    disruptions.add(disruption);
    if (disruption.fault() != FaultKind.STORE_RESTART) {
      interruptions.put(disruption, nanos);
    }
  }

  int hit(FaultKind fault) {
    return hits.merge(fault, 1, Integer::sum);
  }

  void stoodStill(Standstill standstill) {
    if (standstill.time().compareTo(longestStandstill.time()) > 0) {
      longestStandstill = standstill;
    }
  }

  int count(FaultKind kind) {
    return (int) of(kind).count();
  }

  int inFlightAt(FaultKind kind) {
    return of(kind).mapToInt(each -> each.inFlight().size()).sum();
  }

  int inDoubtAt(FaultKind kind) {
    return of(kind).mapToInt(each -> each.inDoubt().size()).sum();
  }

  private Stream<Disruption> of(FaultKind kind) {
    return disruptions.stream().filter(each -> each.fault() == kind);
  }

  /** Counts the kills after which others may have taken over before the comparison. */
  int killsComparedLate() {
    return (int) of(FaultKind.KILL).filter(Disruption::wide).count();
  }

  int hits(FaultKind fault) {
    return hits.getOrDefault(fault, 0);
  }

  /** The time in which nothing was settled after a fault of the store or the broker. */
  record Standstill(String fault, Duration time) {}
}
