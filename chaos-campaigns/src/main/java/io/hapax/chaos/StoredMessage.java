package io.hapax.chaos;

/**
 * A message that the broker has stored.
 *
 * @param order the id of its order
 * @param name its unique name, which a copy made by the broker has too
 */
record StoredMessage(String order, String name) {}
