package io.hapax.console.security;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Stores the sessions of signed-in users. The store is bounded and evicts the oldest session. */
public final class Sessions {

  private static final int MOST = 100;

  /** The lifetime of a session. */
  public static final Duration LENGTH = Duration.ofHours(12);

  private final InstantSource clock;
  private final Map<String, Instant> ends = new LinkedHashMap<>();

  public Sessions(InstantSource clock) {
    this.clock = clock;
  }

  /** Opens a session, and returns its secret for a cookie. */
  public synchronized String open() {
    Iterator<String> oldest = ends.keySet().iterator();
    if (ends.size() >= MOST && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
    String secret = Secrets.random();
    ends.put(secret, clock.instant().plus(LENGTH));
    return secret;
  }

  /** Returns whether a session is open. */
  public synchronized boolean isOpen(String secret) {
    Instant end = ends.get(secret);
    return end != null && clock.instant().isBefore(end);
  }

  /** Ends a session. */
  public synchronized void close(String secret) {
    ends.remove(secret);
  }
}
