package io.hapax.demo;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What befell the processes of a run, in figures.
 *
 * @param kills SIGKILLs that hit orders in flight
 * @param killsRepeated SIGKILLs that hit nothing and were repeated
 * @param inFlightAtKills orders in flight at those kills, together
 * @param inDoubtAtKills effects whose mark was not DONE after those kills, together
 * @param stops how often a consumer was stopped until another had taken over
 * @param inFlightAtStops orders in flight then, together
 * @param storeRestarts how often the store was killed and started again
 * @param inDoubtAtRestarts effects whose mark was not DONE when it was back, together
 * @param brokerRestarts how often the broker was killed and started again
 * @param slowestRecovery what took a consumer longest, counted from its start, of all that another
 *     one had in flight when it was cut off; empty if nothing was to be done
 * @param longestStandstill how long a consumer whose store or broker was killed settled nothing, at
 *     the longest
 */
record Damage(
    int kills,
    int killsRepeated,
    int inFlightAtKills,
    int inDoubtAtKills,
    int stops,
    int inFlightAtStops,
    int storeRestarts,
    int inDoubtAtRestarts,
    int brokerRestarts,
    Optional<Aftermath> slowestRecovery,
    Standstill longestStandstill) {

  static Damage of(Consumption consumption, Optional<Aftermath> slowestRecovery) {
    List<Disruption> all = consumption.disruptions();
    List<Kill> kills = only(Kill.class, all);
    List<Stop> stops = only(Stop.class, all);
    return new Damage(
        kills.size(),
        consumption.killsRepeated(),
        sum(kills.stream().map(Kill::inFlight).toList()),
        sum(kills.stream().map(Kill::inDoubt).toList()),
        stops.size(),
        sum(stops.stream().map(Stop::inFlight).toList()),
        consumption.struck(StoreRestart.NAME),
        sum(only(Outage.class, all).stream().map(Outage::inDoubt).toList()),
        consumption.struck(BrokerRestart.NAME),
        slowestRecovery,
        consumption.longestStandstill());
  }

  /** Its time; zero if there is none. */
  Duration slowestRecoveryTime() {
    return slowestRecovery.map(Aftermath::after).orElse(Duration.ZERO);
  }

  private static <D> List<D> only(Class<D> kind, List<Disruption> disruptions) {
    return disruptions.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static int sum(List<Set<String>> orders) {
    return orders.stream().mapToInt(Collection::size).sum();
  }
}
