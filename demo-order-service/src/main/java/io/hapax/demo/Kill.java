package io.hapax.demo;

import java.util.Set;

/**
 * A SIGKILL that hit something, seen from two sides that know nothing of each other.
 *
 * @param pid the killed process
 * @param inFlight the orders whose handler had started and whose outcome did not stand yet, as the
 *     process itself had reported: those in a handler, and those that waited for their settlement's
 *     round trip
 * @param inDoubt the orders that the process had put into the ledger and whose mark is not DONE, as
 *     shop and store say after its death: the repeats that this kill can cause. The process has no
 *     part in that answer.
 */
record Kill(long pid, Set<String> inFlight, Set<String> inDoubt) {

  Kill {
    inFlight = Set.copyOf(inFlight);
    inDoubt = Set.copyOf(inDoubt);
  }
}
