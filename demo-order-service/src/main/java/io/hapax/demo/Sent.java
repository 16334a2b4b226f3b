package io.hapax.demo;

/**
 * A message that the broker has stored.
 *
 * @param order of which it tells
 * @param name its own, which a copy has too that the broker makes of it
 */
record Sent(String order, String name) {}
