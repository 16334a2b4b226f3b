package io.hapax.demo;

import java.util.Set;

/**
 * A SIGKILL that hit orders in flight.
 *
 * @param consumer the killed one
 * @param inFlight its orders in flight
 * @param inDoubt the orders in doubt, as shop and store show after its death
 */
record Kill(long consumer, Set<String> inFlight, Set<String> inDoubt) implements Disruption {

  Kill {
    inFlight = Set.copyOf(inFlight);
    inDoubt = Set.copyOf(inDoubt);
  }

  @Override
  public String what() {
    return "consumer " + consumer + " was killed";
  }
}
