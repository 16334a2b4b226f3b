package io.hapax.demo;

import java.util.Set;

/**
 * Something that cut consumers off from what they were doing, seen from two sides that know nothing
 * of each other: what the consumer had reported, and what shop and store say.
 */
sealed interface Disruption permits Kill, Outage, Stop {

  /** The consumer's number. It meets at most one disruption. */
  long consumer();

  /**
   * The orders whose handler had started and whose outcome did not stand yet, as the process itself
   * had reported: those in a handler, and those that waited for their settlement's round trip.
   */
  Set<String> inFlight();

  /**
   * The orders that the process had put into the ledger and whose mark is not DONE, as shop and
   * store say afterwards: the repeats that it can cause. The process has no part in that answer.
   */
  Set<String> inDoubt();

  /** The orders that may take effect once more because of it. */
  default Set<String> mayRepeat() {
    return inDoubt();
  }

  /** What happened, as the end of a sentence. */
  String what();
}
