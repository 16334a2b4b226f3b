package io.hapax.demo;

import java.time.Duration;
import java.util.Locale;

/**
 * An order that was in flight when its consumer was cut off, and that a later consumer did.
 *
 * @param order the order
 * @param cause what cut its consumer off
 * @param consumer who did it
 * @param after how long after its own start that consumer had done it
 */
record Aftermath(String order, Disruption cause, long consumer, Duration after) {

  /** All of it, as a sentence without its end. */
  String inWords() {
    return String.format(
        Locale.ROOT,
        "%s was in flight when %s; consumer %d had done it %.1f s after its start",
        order,
        cause.what(),
        consumer,
        after.toMillis() / 1e3);
  }
}
