package io.hapax.console.action;

import io.hapax.console.security.Secrets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stores the plans of dry runs. A plan can be executed once, by its user, and only for some
 * minutes. The store is bounded and evicts the oldest plan.
 */
public final class Plans {

  private static final int MOST = 200;
  private static final Duration LIFE = Duration.ofMinutes(15);

  private record Plan(String user, String action, Instant end, Outcome.Planned planned) {}

  private final InstantSource clock;
  private final Map<String, Plan> plans = new LinkedHashMap<>();

  public Plans(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Stores a plan.
   *
   * @return the secret that permits its execution
   */
  public synchronized String add(String session, String action, Outcome.Planned planned) {
    Iterator<String> oldest = plans.keySet().iterator();
    if (plans.size() >= MOST && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
    String secret = Secrets.random();
    plans.put(secret, new Plan(session, action, clock.instant().plus(LIFE), planned));
    return secret;
  }

  /**
   * Removes and returns a plan.
   *
   * @return the plan; empty if it is unknown, already executed, expired, or of another session
   */
  public synchronized Optional<Outcome.Planned> take(String session, String action, String secret) {
    Plan plan = plans.get(secret);
    if (plan == null || !plan.user().equals(session) || !plan.action().equals(action)) {
      return Optional.empty();
    }
    plans.remove(secret);
    return clock.instant().isBefore(plan.end()) ? Optional.of(plan.planned()) : Optional.empty();
  }
}
