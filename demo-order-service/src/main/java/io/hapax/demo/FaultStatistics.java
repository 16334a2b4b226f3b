package io.hapax.demo;

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
 * @param stops consumers that were stopped until another one had taken over
 * @param inFlightAtStops orders in flight at those stops, together
 * @param storeRestarts kills and restarts of the store
 * @param inDoubtAtRestarts effects whose mark was not DONE when the store was back, together
 * @param brokerRestarts kills and restarts of the broker
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
    int stops,
    int inFlightAtStops,
    int storeRestarts,
    int inDoubtAtRestarts,
    int brokerRestarts,
    Optional<RecoveredOrder> slowestRecovery,
    Standstill longestStandstill) {

  static FaultStatistics of(Consumption consumption, Optional<RecoveredOrder> slowestRecovery) {
    List<Disruption> all = consumption.disruptions();
    List<Kill> kills = only(Kill.class, all);
    List<Stop> stops = only(Stop.class, all);
    return new FaultStatistics(
        kills.size(),
        consumption.killsRepeated(),
        sum(kills.stream().map(Kill::inFlight).toList()),
        sum(kills.stream().map(Kill::inDoubt).toList()),
        stops.size(),
        sum(stops.stream().map(Stop::inFlight).toList()),
        consumption.hits(StoreRestart.NAME),
        sum(only(Outage.class, all).stream().map(Outage::inDoubt).toList()),
        consumption.hits(BrokerRestart.NAME),
        slowestRecovery,
        consumption.longestStandstill());
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
