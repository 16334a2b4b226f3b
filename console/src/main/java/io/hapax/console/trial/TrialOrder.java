package io.hapax.console.trial;

/**
 * An order of a demo with its effects.
 *
 * @param id the id of the order
 * @param hapax the number of its effects with Hapax
 * @param naive the number of its effects with the naive consumer
 * @param explained whether Hapax has counted an event for each repeated effect, which leased mode
 *     permits
 */
public record TrialOrder(String id, long hapax, long naive, boolean explained) {}
