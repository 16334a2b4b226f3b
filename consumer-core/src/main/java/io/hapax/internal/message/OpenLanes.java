package io.hapax.internal.message;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The lanes of one assignment, by name. A lane is kept until it is forgotten. */
public final class OpenLanes {

  private final Map<String, OpenLane> byName = new ConcurrentHashMap<>();

  /** Returns the lane of this name, a new one if there is none. */
  public OpenLane of(String name) {
    return byName.computeIfAbsent(name, unknown -> new OpenLane());
  }

  /** Forgets a lane, so that the next message of this name begins a new one. */
  public void forget(String name) {
    byName.remove(name);
  }
}
