package io.hapax.console.trial;

/**
 * An order of a demo with its effects.
 *
 * @param explained whether Hapax has counted an event for each repeated effect, which leased mode
 *     permits
 */
public record TrialOrder(String id, long hapax, long naive, boolean explained) {}
