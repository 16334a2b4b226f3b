package io.hapax.chaos;

import io.hapax.demo.BrokerException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Checks the messages that the group has acknowledged. Each must have an effect in the ledger, have
 * a dead-letter record, or wait in the broker for a retry. The group's offsets are read first. The
 * broker may show a stored message a moment later, so it is asked again before an order counts as
 * lost.
 */
final class Acknowledgements {

  /** On a busy machine the broker's answers may be seconds old. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final long TICK_MILLIS = 100;

  private final OrderBroker broker;
  private final StoreInspector inspector;
  private final Duration timeout;
  private final Set<String> premature = new TreeSet<>();
  private int checks;
  private long messages;
  private long waiting;

  Acknowledgements(OrderBroker broker, StoreInspector inspector, Duration timeout) {
    this.broker = broker;
    this.inspector = inspector;
    this.timeout = timeout;
  }

  /** No consumer may run: its database may be a file, and the check would miss its writes. */
  void check() throws BrokerException, SQLException, InterruptedException {
    List<OrderBroker.StoredMessage> acknowledged = broker.acknowledged();
    checks++;
    messages += acknowledged.size();
    Set<OrderBroker.StoredMessage> without = new HashSet<>(acknowledged);
    without.removeIf(message -> premature.contains(message.order()));
    if (!without.isEmpty()) {
      Set<String> effects = inspector.effects();
      without.removeIf(message -> effects.contains(message.order()));
    }
    unknownToTheBroker(without).forEach(message -> premature.add(message.order()));
  }

  private Set<OrderBroker.StoredMessage> unknownToTheBroker(Set<OrderBroker.StoredMessage> without)
      throws BrokerException, InterruptedException {
    Set<OrderBroker.StoredMessage> unknown = new HashSet<>(without);
    for (long begin = System.nanoTime(); ; TimeUnit.MILLISECONDS.sleep(TICK_MILLIS)) {
      if (!unknown.isEmpty()) {
        Set<String> dead = broker.deadLetters().stream()
            .map(OrderBroker.DeadOrder::id)
            .collect(Collectors.toSet());
        unknown.removeIf(message -> dead.contains(message.order()));
      }
      if (!unknown.isEmpty()) {
        Set<String> names = broker.waiting();
        int before = unknown.size();
        unknown.removeIf(message -> names.contains(message.name()));
        waiting += before - unknown.size();
      }
      if (unknown.isEmpty() || System.nanoTime() - begin > timeout.toNanos()) {
        return unknown;
      }
    }
  }

  Report.Acknowledged result() {
    return new Report.Acknowledged(checks, messages, waiting, premature.size());
  }

  /** Returns a violation for each order that had no effect, no dead-letter record and no retry. */
  List<String> violations() {
    return premature.stream()
        .map(id -> id + " was acknowledged before it had an effect or a dead letter")
        .toList();
  }
}
