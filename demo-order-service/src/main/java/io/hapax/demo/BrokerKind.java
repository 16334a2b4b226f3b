package io.hapax.demo;

import java.util.Locale;

public enum BrokerKind {
  KAFKA,
  ROCKETMQ;

  public boolean alwaysInOrder() {
    return this == KAFKA;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
