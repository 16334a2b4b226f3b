package io.hapax.cli;

/** The brokers. */
enum BrokerKind {
  /** Apache Kafka. */
  KAFKA,
  /** Apache RocketMQ. */
  ROCKETMQ
}
