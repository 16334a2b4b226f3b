package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import java.util.List;
import java.util.Set;

/**
 * The results of a run.
 *
 * @param ledger the effects
 * @param recoveries the recoveries that the consumers counted
 * @param completions the orders that the consumers reported as executed
 * @param disruptions the kills that hit orders in flight, and the outages of the store
 * @param snapshots the ledger after the first pass and after each replay
 */
record Evidence(
    List<LedgerRow> ledger,
    List<Recovery> recoveries,
    Set<Completion> completions,
    List<Disruption> disruptions,
    List<LedgerSnapshot> snapshots) {

  Evidence {
    ledger = List.copyOf(ledger);
    recoveries = List.copyOf(recoveries);
    completions = Set.copyOf(completions);
    disruptions = List.copyOf(disruptions);
    snapshots = List.copyOf(snapshots);
  }
}
