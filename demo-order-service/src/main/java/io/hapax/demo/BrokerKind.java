package io.hapax.demo;

import java.util.Locale;

/** The broker that carries the orders. */
public enum BrokerKind {
  /** Apache Kafka. */
  KAFKA,
  /** Apache RocketMQ. */
  ROCKETMQ;

  /** Returns whether the broker always delivers a partition in order. */
  public boolean alwaysInOrder() {
    return this == KAFKA;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
