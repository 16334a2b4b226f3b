package io.hapax.demo;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Looks behind what the group has acknowledged: each such message must have its effect in the
 * ledger, or its dead letter, or have been sent back and wait itself in the broker for a retry.
 *
 * <p>No consumer runs then, so nothing more becomes of a message. The group's offsets are read
 * first: what was acknowledged in front of them had its effect, its dead letter or its copy before,
 * and the ledger shows it now. What a broker has taken it may show a moment later, so it is asked
 * again before an order is said to be lost; waiting heals no order that nothing stands behind.
 */
final class Acknowledgements {

  /** A broker on a busy machine may be seconds behind with what can be read of it. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final long TICK_MILLIS = 100;

  private final OrderBroker broker;
  private final LeftBehind leftBehind;
  private final Duration patience;
  private final Set<String> premature = new TreeSet<>();
  private int looks;
  private long messages;
  private long waiting;

  Acknowledgements(OrderBroker broker, LeftBehind leftBehind) {
    this(broker, leftBehind, PATIENCE);
  }

  /**
   * Looks with other patience.
   *
   * @param patience how long the broker is asked for what it may have taken
   */
  Acknowledgements(OrderBroker broker, LeftBehind leftBehind, Duration patience) {
    this.broker = broker;
    this.leftBehind = leftBehind;
    this.patience = patience;
  }

  /** Looks; no consumer must run: its database may be a file, and what it does would be missed. */
  void look() throws BrokerException, SQLException, InterruptedException {
    List<Sent> acknowledged = broker.acknowledged();
    looks++;
    messages += acknowledged.size();
    Set<Sent> without = new HashSet<>(acknowledged);
    without.removeIf(message -> premature.contains(message.order()));
    if (!without.isEmpty()) {
      Set<String> effects = leftBehind.effects();
      without.removeIf(message -> effects.contains(message.order()));
    }
    unknownToTheBroker(without).forEach(message -> premature.add(message.order()));
  }

  private Set<Sent> unknownToTheBroker(Set<Sent> without)
      throws BrokerException, InterruptedException {
    Set<Sent> unknown = new HashSet<>(without);
    for (long begin = System.nanoTime(); ; TimeUnit.MILLISECONDS.sleep(TICK_MILLIS)) {
      if (!unknown.isEmpty()) {
        Set<String> dead =
            broker.deadLetters().stream().map(DeadOrder::id).collect(Collectors.toSet());
        unknown.removeIf(message -> dead.contains(message.order()));
      }
      if (!unknown.isEmpty()) {
        Set<String> names = broker.waiting();
        int before = unknown.size();
        unknown.removeIf(message -> names.contains(message.name()));
        waiting += before - unknown.size();
      }
      if (unknown.isEmpty() || System.nanoTime() - begin > patience.toNanos()) {
        return unknown;
      }
    }
  }

  /** How often it looked. */
  int looks() {
    return looks;
  }

  /** How many acknowledged messages were looked at; one that stands at two looks counts twice. */
  long messages() {
    return messages;
  }

  /** How many of them waited for a retry, with nothing else behind them. */
  long waiting() {
    return waiting;
  }

  /** The orders that were acknowledged with nothing behind it. */
  Set<String> premature() {
    return Set.copyOf(premature);
  }

  /** The same, each a fault. */
  List<String> faults() {
    return premature.stream()
        .map(id -> id + " was acknowledged before it had an effect or a dead letter")
        .toList();
  }
}
