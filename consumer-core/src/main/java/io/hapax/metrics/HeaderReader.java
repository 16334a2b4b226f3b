package io.hapax.metrics;

import java.util.Optional;

/**
 * Reads a header of a broker's message, so that the producer's trace is continued: for Kafka
 * {@code record.headers().lastHeader(name)}, for RocketMQ a user property.
 *
 * @param <M> the broker's message
 */
@FunctionalInterface
public interface HeaderReader<M> {

  /**
   * {@return a header's value as text; empty if there is none}
   *
   * @param message the broker's message
   * @param name the header's name
   */
  Optional<String> header(M message, String name);
}
