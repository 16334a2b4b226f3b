package io.hapax.chaos;

import java.time.Duration;
import java.util.Locale;

/**
 * An order that was in flight at a disruption, and that a later consumer completed. The time begins
 * at the disruption, or at the start of that consumer if it started later.
 */
record RecoveredOrder(String order, Disruption cause, long consumer, Duration after) {

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
