package io.hapax.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The results of several rounds; the median of an even number is the mean of the two in the middle.
 */
record Spread(double median, double low, double high) {

  static Spread of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("there must be a value");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  static <T> double median(List<T> rounds, ToDoubleFunction<T> figure) {
    return of(rounds.stream().map(figure::applyAsDouble).toList()).median();
  }

  double times(Spread other) {
    return median / other.median;
  }

  /** Returns half of the range in percent of the median. */
  double percent() {
    return median == 0 ? 0 : 50 * (high - low) / median;
  }
}
