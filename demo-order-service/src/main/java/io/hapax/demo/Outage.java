package io.hapax.demo;

import java.util.Set;

/**
 * A store that was killed under a consumer, and started again.
 *
 * @param consumer whose store it was; its process lives on
 * @param inFlight what it had in its hands
 * @param inDoubt what shop and store say when both are there again and the process still rests
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
