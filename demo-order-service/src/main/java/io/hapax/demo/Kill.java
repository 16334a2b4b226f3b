package io.hapax.demo;

import java.util.Set;

/**
 * A SIGKILL that hit something.
 *
 * @param consumer the killed one
 * @param inFlight what it had in its hands
 * @param inDoubt what shop and store say after its death
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
