package io.hapax.chaos;

import java.util.HashSet;
import java.util.Set;

/**
 * A kill and restart of the store while a consumer ran.
 *
 * @param consumer the number of the consumer; its process survives
 * @param inFlight its orders in flight
 * @param inDoubt the orders in doubt, read from shop and store after the restart, while the process
 *     is still paused
 * @param inGroup whether other consumers run too, and may take over when the leases of this one
 *     expire
 */
record Outage(long consumer, Set<String> inFlight, Set<String> inDoubt, boolean inGroup)
    implements Disruption {

  /** Creates the outage for a consumer that runs alone. */
  Outage(long consumer, Set<String> inFlight, Set<String> inDoubt) {
    this(consumer, inFlight, inDoubt, false);
  }

  Outage {
    inFlight = Set.copyOf(inFlight);
    inDoubt = Set.copyOf(inDoubt);
  }

  /**
   * Returns the orders in doubt and, in a group, those in flight. A handler that was paused before
   * its effect writes the effect later, in a transaction that checks no lease. Another consumer may
   * have taken the order over before that.
   */
  @Override
  public Set<String> mayRepeat() {
    if (!inGroup) {
      return inDoubt;
    }
    Set<String> orders = new HashSet<>(inFlight);
    orders.addAll(inDoubt);
    return orders;
  }

  @Override
  public String what() {
    return "the store of consumer " + consumer + " was killed";
  }
}
