package io.hapax.cli;

import io.hapax.operations.Broker;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;

/** The options for the broker and for reading message ids, of which all or none are given. */
final class Source {

  @ArgGroup(exclusive = false, multiplicity = "1")
  private BrokerOptions broker = new BrokerOptions();

  @ArgGroup(exclusive = false, multiplicity = "1")
  private IdOptions ids = new IdOptions();

  String description() {
    return broker.description();
  }

  /** Connects to the broker for a consumer whose messages are compared as {@code verdict} says. */
  Broker connect(ConsumerOptions consumer, VerdictOptions verdict, Duration patience) {
    return broker.connect(verdict.of(ids.of(consumer)), patience);
  }

  /** Connects to the broker for a consumer whose messages are not compared. */
  Broker connect(ConsumerOptions consumer, Duration patience) {
    return broker.connect(ids.of(consumer), patience);
  }
}
