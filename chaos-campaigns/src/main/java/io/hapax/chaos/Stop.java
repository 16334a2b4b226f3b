package io.hapax.chaos;

import java.util.HashSet;
import java.util.Set;

/**
 * A SIGSTOP that lasted longer than the lease. The process went on afterwards.
 *
 * @param consumer the stopped one
 * @param inFlight its orders in flight
 * @param inDoubt the orders in doubt, as shop and store show while it is stopped
 */
record Stop(long consumer, Set<String> inFlight, Set<String> inDoubt) implements Disruption {

  Stop {
    inFlight = Set.copyOf(inFlight);
    inDoubt = Set.copyOf(inDoubt);
  }

  /**
   * Returns the orders in flight and in doubt. A handler that was stopped before its effect
   * continues to write it, in a transaction that knows nothing of leases, after another consumer
   * has done the same.
   */
  @Override
  public Set<String> mayRepeat() {
    Set<String> orders = new HashSet<>(inFlight);
    orders.addAll(inDoubt);
    return orders;
  }

  @Override
  public String what() {
    return "consumer " + consumer + " was stopped";
  }
}
