package io.hapax.chaos;

import io.hapax.demo.LedgerRow;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ledger of a run, the reports of its consumers, its disruptions and a snapshot of each pass.
 */
record Evidence(
    List<LedgerRow> ledger,
    List<Recovery> recoveries,
    Map<Long, Set<String>> completions,
    List<Disruption> disruptions,
    List<LedgerSnapshot> snapshots) {}
