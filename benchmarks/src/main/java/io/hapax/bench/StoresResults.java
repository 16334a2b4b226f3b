package io.hapax.bench;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The results of a run.
 *
 * @param date the start of the run
 * @param settings the settings
 * @param machine the machine
 * @param loadBefore the load average at the start
 * @param loadAfter the load average at the end
 * @param servers version and settings of each store's server
 * @param rows the figures
 * @param leftOut requested measurements that were skipped, with the reason
 * @param profiles the profiles as text
 */
record StoresResults(
    Instant date,
    StoresSettings settings,
    Map<String, String> machine,
    double loadBefore,
    double loadAfter,
    Map<StoreKind, Map<String, String>> servers,
    List<Row> rows,
    List<String> leftOut,
    List<String> profiles) {}
