package io.hapax.chaos;

import java.util.Set;

/**
 * A SIGKILL that hit orders in flight.
 *
 * @param consumer the killed one
 * @param inFlight its orders in flight
 * @param inDoubt the orders in doubt, as shop and store show after its death
 * @param late whether other consumers may have taken over before shop and store were compared; the
 *     comparison then shows less than there was
 */
record Kill(long consumer, Set<String> inFlight, Set<String> inDoubt, boolean late)
    implements Disruption {

  /** Creates a kill after which nothing changed until the comparison. */
  Kill(long consumer, Set<String> inFlight, Set<String> inDoubt) {
    this(consumer, inFlight, inDoubt, false);
  }

  Kill {
    inFlight = Set.copyOf(inFlight);
    inDoubt = Set.copyOf(inDoubt);
  }

  /** Returns the orders in doubt; all those in flight if the comparison was late. */
  @Override
  public Set<String> mayRepeat() {
    return late ? inFlight : inDoubt;
  }

  @Override
  public String what() {
    return "consumer " + consumer + " was killed";
  }
}
