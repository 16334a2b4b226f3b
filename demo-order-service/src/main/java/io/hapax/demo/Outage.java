package io.hapax.demo;

import java.util.Set;

/**
 * A store that was killed under a consumer, and started again.
 *
 * @param consumer the consumer of that store; its process lives on
 * @param inFlight its orders in flight
 * @param inDoubt the orders in doubt, as shop and store show when both are back and the process is
 *     still paused
 */
record Outage(long consumer, Set<String> inFlight, Set<String> inDoubt) implements Disruption {

  Outage {
    inFlight = Set.copyOf(inFlight);
    inDoubt = Set.copyOf(inDoubt);
  }

  @Override
  public String what() {
    return "the store of consumer " + consumer + " was killed";
  }
}
