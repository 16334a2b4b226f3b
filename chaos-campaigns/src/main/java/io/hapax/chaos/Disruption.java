package io.hapax.chaos;

import java.util.Set;

/**
 * An event that interrupted consumers in their work. Two independent sources describe it: the
 * reports of the consumer, and a query of shop and store.
 */
sealed interface Disruption permits Kill, Outage, Stop {

  /** Returns the number of the consumer. Only a member of a group can have several disruptions. */
  long consumer();

  /**
   * Returns the orders in flight, as the process itself reported: those in a handler, and those
   * that waited for their settlement.
   */
  Set<String> inFlight();

  /**
   * Returns the orders that the process wrote to the ledger and whose mark is not DONE. These are
   * the repeats that it can cause. The parent asks shop and store afterwards, without the process.
   */
  Set<String> inDoubt();

  /** Returns the orders that may take effect once more because of this event. */
  default Set<String> mayRepeat() {
    return inDoubt();
  }

  /** Returns the event as the end of a sentence. */
  String what();
}
