package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The lanes that have stopped, and at which deferral; one that keeps no order never does. */
public final class BlockedLanes {

  /** For a reason that is about to pass. */
  public static final Deferred SHORTLY = Deferrals.busy(Duration.ofMillis(50));

  private final Map<String, Deferred> byLane = new HashMap<>();

  public void at(InFlightMessage<?> item, Optional<Deferred> deferral) {
    deferral.flatMap(item::stopsAt).ifPresent(it -> byLane.putIfAbsent(item.incoming.lane(), it));
  }

  /**
   * Stops the item's lane if its outcome is a deferral, or if it has none yet; a duplicate that is
   * being answered is in nobody's way.
   */
  public void after(InFlightMessage<?> item) {
    if (item.answering()) {
      return;
    }
    at(item, item.unfinished() ? Optional.of(SHORTLY) : item.stop());
  }

  public boolean stopped(InFlightMessage<?> item) {
    return byLane.containsKey(item.incoming.lane());
  }

  public Outcome behind(InFlightMessage<?> item) {
    return Deferrals.behind(byLane.getOrDefault(item.incoming.lane(), SHORTLY).after());
  }
}
