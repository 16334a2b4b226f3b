package io.hapax.bench;

import java.util.Arrays;
import java.util.List;

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
        Spread.median(rounds, KafkaLatency::p50Millis),
        Spread.median(rounds, KafkaLatency::p99Millis));
  }
}
