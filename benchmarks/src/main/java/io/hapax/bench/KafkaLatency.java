package io.hapax.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The time from the append of a record to the end of its handler.
 *
 * @param p50Millis the median
 * @param p99Millis the 99th percentile
 */
record KafkaLatency(double p50Millis, double p99Millis) {

  static KafkaLatency of(long[] nanos) {
    if (nanos.length == 0) {
      throw new IllegalArgumentException("there must be a record");
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new KafkaLatency(at(sorted, 0.5), at(sorted, 0.99));
  }

  private static double at(long[] sorted, double share) {
    int index = (int) Math.ceil(share * sorted.length) - 1;
    return sorted[Math.max(0, index)] / 1e6;
  }

  /** Returns the median of each figure. */
  static KafkaLatency median(List<KafkaLatency> rounds) {
    return new KafkaLatency(
        median(rounds, KafkaLatency::p50Millis), median(rounds, KafkaLatency::p99Millis));
  }

  private static double median(List<KafkaLatency> rounds, ToDoubleFunction<KafkaLatency> figure) {
    return Spread.of(rounds.stream().map(figure::applyAsDouble).toList()).median();
  }
}
