package io.hapax.demo;

import java.util.HashSet;
import java.util.Set;

/**
 * A SIGSTOP that lasted longer than the lease, and after which the process went on.
 *
 * @param consumer the stopped one
 * @param inFlight what it had in its hands
 * @param inDoubt what shop and store say while it rests
 */
record Stop(long consumer, Set<String> inFlight, Set<String> inDoubt) implements Disruption {

  Stop {
    inFlight = Set.copyOf(inFlight);
    inDoubt = Set.copyOf(inDoubt);
  }

  /**
   * A handler that was stopped before its effect goes on to it, in a transaction that knows nothing
   * of leases, although another has done it meanwhile.
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
