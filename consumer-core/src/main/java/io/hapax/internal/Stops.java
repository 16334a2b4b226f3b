package io.hapax.internal;

import io.hapax.Outcome;
import io.hapax.Outcome.Deferred;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The lanes that have stopped, and at which deferral. */
final class Stops {

  /** For a reason that is about to pass. */
  static final Deferred SHORTLY = Deferrals.busy(Duration.ofMillis(50));

  private final Map<String, Deferred> byLane = new HashMap<>();

  static Optional<Deferred> deferral(Outcome outcome) {
    return outcome instanceof Deferred deferred ? Optional.of(deferred) : Optional.empty();
  }

  void at(Item<?> item, Optional<Deferred> deferral) {
    deferral.ifPresent(it -> byLane.putIfAbsent(item.incoming.lane(), it));
  }

  boolean stopped(Item<?> item) {
    return byLane.containsKey(item.incoming.lane());
  }

  Outcome behind(Item<?> item) {
    return Deferrals.behind(byLane.getOrDefault(item.incoming.lane(), SHORTLY).after());
  }
}
