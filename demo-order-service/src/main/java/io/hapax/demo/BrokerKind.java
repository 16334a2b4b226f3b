package io.hapax.demo;

import java.util.Locale;

/** The broker that carries the orders. */
enum BrokerKind {
  /** Apache Kafka. */
  KAFKA;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
