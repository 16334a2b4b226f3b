package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Keeps the lanes that have stopped and the deferral of each. A lane without order never stops. */
public final class BlockedLanes {

  /** The deferral for a reason that passes soon. */
  public static final Deferred SHORTLY = Deferrals.busy(Duration.ofMillis(50));

  private final Map<String, Deferred> byLane = new HashMap<>();

  /** Stops the lane at a deferral, if the lane keeps an order. */
  public void at(InFlightMessage<?> message, Optional<Deferred> deferral) {
    deferral
        .flatMap(message::stopsAt)
        .ifPresent(it -> byLane.putIfAbsent(message.incoming.lane(), it));
  }

  /**
   * Stops the message's lane if its outcome is a deferral, or if it has none yet. A duplicate whose
   * handler is being called does not stop the lane.
   */
  public void after(InFlightMessage<?> message) {
    if (message.answering()) {
      return;
    }
    at(message, message.unfinished() ? Optional.of(SHORTLY) : message.stop());
  }

  public boolean stopped(InFlightMessage<?> message) {
    return byLane.containsKey(message.incoming.lane());
  }

  public Outcome behind(InFlightMessage<?> message) {
    return Deferrals.behind(
        byLane.getOrDefault(message.incoming.lane(), SHORTLY).after());
  }
}
