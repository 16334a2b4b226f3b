package io.hapax.simulation;

/**
 * A message as it was produced.
 *
 * @param id the business id
 * @param serial which of all that were produced
 */
record Post(String id, int serial) {}
