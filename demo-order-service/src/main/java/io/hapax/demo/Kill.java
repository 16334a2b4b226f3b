package io.hapax.demo;

import java.util.Set;

/**
 * A SIGKILL that hit something.
 *
 * @param pid the killed process
 * @param inFlight the orders whose handler had started and whose outcome did not stand yet, as the
 *     process itself had reported: those in a handler, and those that waited for their settlement's
 *     round trip
 */
record Kill(long pid, Set<String> inFlight) {

  Kill {
    inFlight = Set.copyOf(inFlight);
  }
}
