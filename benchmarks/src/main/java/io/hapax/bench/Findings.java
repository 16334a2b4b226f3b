package io.hapax.bench;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Everything that came out of a run.
 *
 * @param date when it began
 * @param settings what was asked for
 * @param machine what it ran on
 * @param loadBefore the machine's load average when it began
 * @param loadAfter and when it ended
 * @param servers what each store's server says of itself
 * @param rows the figures
 * @param leftOut what was asked for and not measured, and why
 * @param profiles where the time went, for people
 */
record Findings(
    Instant date,
    StoresSettings settings,
    Map<String, String> machine,
    double loadBefore,
    double loadAfter,
    Map<StoreKind, Map<String, String>> servers,
    List<Row> rows,
    List<String> leftOut,
    List<String> profiles) {}
