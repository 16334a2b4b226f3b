package io.hapax.chaos;

import java.util.HashSet;
import java.util.Set;

/**
 * An event that interrupted a consumer in its work. Two independent sources describe it: the
 * reports of the consumer, and a query of shop and store.
 *
 * @param fault a kill or a stop of the consumer, or a restart of its store
 * @param consumer its number. Only a member of a group can have several disruptions
 * @param inFlight the orders in flight, as the process itself reported: those in a handler, and
 *     those that waited for their settlement
 * @param inDoubt the orders that the process wrote to the ledger and whose mark is not DONE. The
 *     parent asks shop and store for them while the process does not run
 * @param wide whether the orders in flight may repeat too, and not only those in doubt
 */
record Disruption(
    FaultKind fault, long consumer, Set<String> inFlight, Set<String> inDoubt, boolean wide) {

  static Disruption kill(long consumer, Set<String> inFlight, Set<String> inDoubt, boolean late) {
    return new Disruption(FaultKind.KILL, consumer, inFlight, inDoubt, late);
  }

  /**
   * Creates a SIGSTOP that lasted longer than the lease. A handler that was stopped before its
   * effect continues to write it, in a transaction that knows nothing of leases, after another
   * consumer has done the same.
   */
  static Disruption stop(long consumer, Set<String> inFlight, Set<String> inDoubt) {
    return new Disruption(FaultKind.STOP, consumer, inFlight, inDoubt, true);
  }

  /**
   * Creates a kill and restart of the store while the consumer ran. Its process survives.
   *
   * @param inGroup whether other consumers run too. A handler that was paused before its effect
   *     writes the effect later, in a transaction that checks no lease. Another consumer may have
   *     taken the order over before that
   */
  static Disruption outage(
      long consumer, Set<String> inFlight, Set<String> inDoubt, boolean inGroup) {
    return new Disruption(FaultKind.STORE_RESTART, consumer, inFlight, inDoubt, inGroup);
  }

  Set<String> mayRepeat() {
    Set<String> orders = new HashSet<>(inDoubt);
    if (wide) {
      orders.addAll(inFlight);
    }
    return orders;
  }

  String what() {
    return switch (fault) {
      case KILL -> "consumer " + consumer + " was killed";
      case STOP -> "consumer " + consumer + " was stopped";
      default -> "the store of consumer " + consumer + " was killed";
    };
  }
}
