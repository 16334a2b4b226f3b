package io.hapax.internal;

import io.hapax.Outcome;
import io.hapax.Outcome.Deferred;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The lanes that have stopped, and at which deferral; one that keeps no order never does. */
final class Stops {

  /** For a reason that is about to pass. */
  static final Deferred SHORTLY = Deferrals.busy(Duration.ofMillis(50));

  private final Map<String, Deferred> byLane = new HashMap<>();

  void at(Item<?> item, Optional<Deferred> deferral) {
    deferral.flatMap(item::stopsAt).ifPresent(it -> byLane.putIfAbsent(item.incoming.lane(), it));
  }

  /**
   * Stops the item's lane if its outcome is a deferral, or if it has none yet; a duplicate that is
   * being answered is in nobody's way.
   */
  void after(Item<?> item) {
    if (item.answering()) {
      return;
    }
    at(item, item.unfinished() ? Optional.of(SHORTLY) : item.stop());
  }

  boolean stopped(Item<?> item) {
    return byLane.containsKey(item.incoming.lane());
  }

  Outcome behind(Item<?> item) {
    return Deferrals.behind(byLane.getOrDefault(item.incoming.lane(), SHORTLY).after());
  }
}
