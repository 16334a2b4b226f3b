package io.hapax.chaos;

import java.time.Duration;
import java.util.Locale;

/**
 * An order that was in flight when its consumer was interrupted, and that a later consumer
 * completed.
 *
 * @param order the order
 * @param cause the disruption of its consumer
 * @param consumer the number of the consumer that completed it
 * @param after the time from the disruption until the completion; from the start of that consumer
 *     if it started later
 */
record RecoveredOrder(String order, Disruption cause, long consumer, Duration after) {

  /** Returns a sentence without its final stop. */
  String describe() {
    return String.format(
        Locale.ROOT,
        "%s was in flight when %s; consumer %d completed it after %.1f s",
        order,
        cause.what(),
        consumer,
        after.toMillis() / 1e3);
  }
}
