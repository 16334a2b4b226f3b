package io.hapax.chaos;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The faults of a run in figures.
 *
 * @param kills SIGKILLs that hit orders in flight
 * @param killsRepeated SIGKILLs that hit nothing and were repeated
 * @param inFlightAtKills orders in flight at those kills, together
 * @param inDoubtAtKills effects whose mark was not DONE after those kills, together
 * @param killsComparedLate SIGKILLs after which other consumers may have taken over before shop and
 *     store were compared; each order in flight may repeat then
 * @param stops consumers that were stopped until another one had taken over
 * @param inFlightAtStops orders in flight at those stops, together
 * @param storeRestarts kills and restarts of the store
 * @param inDoubtAtRestarts effects whose mark was not DONE when the store was back, together
 * @param brokerRestarts kills and restarts of the broker
 * @param resets resets of the group's offsets to 0 under load
 * @param scalings members that joined the group, after which another one left
 * @param slowestRecovery the order with the longest time from a consumer's start to the completion,
 *     among those in flight at a disruption; empty if there was none
 * @param longestStandstill the longest time that a consumer settled nothing after its store or
 *     broker was killed
 */
record FaultStatistics(
    int kills,
    int killsRepeated,
    int inFlightAtKills,
    int inDoubtAtKills,
    int killsComparedLate,
    int stops,
    int inFlightAtStops,
    int storeRestarts,
    int inDoubtAtRestarts,
    int brokerRestarts,
    int resets,
    int scalings,
    Optional<RecoveredOrder> slowestRecovery,
    Standstill longestStandstill) {

  static FaultStatistics of(FaultLog log, Optional<RecoveredOrder> slowestRecovery) {
    List<Disruption> all = log.disruptions();
    List<Kill> kills = only(Kill.class, all);
    List<Stop> stops = only(Stop.class, all);
    return new FaultStatistics(
        kills.size(),
        log.killsRepeated(),
        sum(kills.stream().map(Kill::inFlight).toList()),
        sum(kills.stream().map(Kill::inDoubt).toList()),
        (int) kills.stream().filter(Kill::late).count(),
        stops.size(),
        sum(stops.stream().map(Stop::inFlight).toList()),
        log.hits(Fault.STORE_RESTART.title()),
        sum(only(Outage.class, all).stream().map(Outage::inDoubt).toList()),
        log.hits(Fault.BROKER_RESTART.title()),
        log.hits(Fault.RESET.title()),
        log.hits(Fault.SCALING.title()),
        slowestRecovery,
        log.longestStandstill());
  }

  /** Returns the time of {@link #slowestRecovery()}; zero if there is none. */
  Duration slowestRecoveryTime() {
    return slowestRecovery.map(RecoveredOrder::after).orElse(Duration.ZERO);
  }

  private static <D> List<D> only(Class<D> kind, List<Disruption> disruptions) {
    return disruptions.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static int sum(List<Set<String>> orders) {
    return orders.stream().mapToInt(Collection::size).sum();
  }
}
