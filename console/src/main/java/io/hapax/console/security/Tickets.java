package io.hapax.console.security;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stores values under random secrets for a limited time: sessions and plans. The store is bounded
 * and evicts the oldest value. Thread-safe.
 */
public final class Tickets<V> {

  private record Ticket<V>(Instant end, V value) {}

  private final int most;
  private final Duration life;
  private final InstantSource clock;
  private final Map<String, Ticket<V>> tickets = new LinkedHashMap<>();

  public Tickets(int most, Duration life, InstantSource clock) {
    this.most = most;
    this.life = life;
    this.clock = clock;
  }

  /** Stores a value, and returns its secret. */
  public synchronized String add(V value) {
    Iterator<String> oldest = tickets.keySet().iterator();
    if (tickets.size() >= most && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
    String secret = Secrets.random();
    tickets.put(secret, new Ticket<>(clock.instant().plus(life), value));
    return secret;
  }

  /** Returns the value of a secret; empty if it is unknown or has expired. */
  public synchronized Optional<V> find(String secret) {
    return Optional.ofNullable(tickets.get(secret))
        .filter(it -> clock.instant().isBefore(it.end()))
        .map(Ticket::value);
  }

  /** Removes a value. Returns false if it was not there. */
  public synchronized boolean remove(String secret) {
    return tickets.remove(secret) != null;
  }
}
