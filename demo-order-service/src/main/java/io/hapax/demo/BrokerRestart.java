package io.hapax.demo;

import java.util.Optional;
import java.util.Random;

/**
 * Kills the broker with SIGKILL under a running consumer, and starts it again on its data. The
 * consumer keeps its claims, so nothing comes into doubt.
 */
final class BrokerRestart implements Blow {

  /** What this is called. */
  static final String NAME = "broker restart";

  private final OrderBroker broker;

  BrokerRestart(OrderBroker broker) {
    this.broker = broker;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<Disruption> under(Child child, Random random) {
    broker.restart();
    return Optional.empty();
  }
}
