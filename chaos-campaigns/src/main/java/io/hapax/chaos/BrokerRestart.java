package io.hapax.chaos;

import java.util.Optional;
import java.util.Random;

/**
 * Kills the broker with SIGKILL under a running consumer, and starts it again on its data. The
 * consumer keeps its claims, so no effect is in doubt.
 */
final class BrokerRestart implements Fault {

  /** The name of this fault. */
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
  public Optional<Disruption> inject(ConsumerProcess child, Random random) {
    broker.restart();
    return Optional.empty();
  }
}
