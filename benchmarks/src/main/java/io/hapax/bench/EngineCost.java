package io.hapax.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The cost of one message.
 *
 * @param wallNanos elapsed time
 * @param cpuNanos CPU time of all threads
 * @param bytes allocated by all threads
 */
record EngineCost(double wallNanos, double cpuNanos, double bytes) {

  static EngineCost of(int messages, long wallNanos, ThreadUse use) {
    return new EngineCost(
        (double) wallNanos / messages,
        (double) use.cpuNanos() / messages,
        (double) use.allocatedBytes() / messages);
  }

  /** Returns the median of each figure. */
  static EngineCost median(List<EngineCost> rounds) {
    return new EngineCost(
        median(rounds, EngineCost::wallNanos),
        median(rounds, EngineCost::cpuNanos),
        median(rounds, EngineCost::bytes));
  }

  private static double median(List<EngineCost> rounds, ToDoubleFunction<EngineCost> figure) {
    return Spread.of(rounds.stream().map(figure::applyAsDouble).toList()).median();
  }

  EngineCost minus(EngineCost other) {
    return new EngineCost(
        wallNanos - other.wallNanos, cpuNanos - other.cpuNanos, bytes - other.bytes);
  }
}
