package io.hapax.demo;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Looks behind what the group has acknowledged: each such message must have its effect in the
 * ledger, or be in the dead-letter topic.
 *
 * <p>The group's offsets are read first. Effects and dead letters only become more, so whatever was
 * acknowledged then and has none afterwards was acknowledged too soon.
 */
final class Acknowledgements {

  private final OrderBroker broker;
  private final LeftBehind leftBehind;
  private final Set<String> premature = new TreeSet<>();
  private long looks;

  Acknowledgements(OrderBroker broker, LeftBehind leftBehind) {
    this.broker = broker;
    this.leftBehind = leftBehind;
  }

  /** Looks; no consumer must run, because its database may be a file. */
  void look() throws BrokerException, SQLException, InterruptedException {
    List<String> acknowledged = broker.acknowledged();
    looks += acknowledged.size();
    Set<String> without = new HashSet<>(acknowledged);
    without.removeAll(leftBehind.effects());
    if (!without.isEmpty()) {
      without.removeAll(
          broker.deadLetters().stream().map(DeadOrder::id).collect(Collectors.toSet()));
    }
    premature.addAll(without);
  }

  /** How many acknowledgements were looked at; one that stands at two looks counts twice. */
  long looks() {
    return looks;
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
