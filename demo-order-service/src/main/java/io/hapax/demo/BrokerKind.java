package io.hapax.demo;

import java.util.Locale;

/** The broker that carries the orders. */
enum BrokerKind {
  /** Apache Kafka. */
  KAFKA;

  /** Starts one, with an empty topic. */
  OrderBroker start() {
    return switch (this) {
      case KAFKA -> KafkaBroker.start();
    };
  }

  /** The way to one that runs, for a consumer process. */
  OrderSource<?> source(String address, Reports reports) {
    return switch (this) {
      case KAFKA -> new KafkaSource(address, reports);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
