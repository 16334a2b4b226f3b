package io.hapax.bench;

import static io.hapax.bench.Benchmark.format;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Compares the rates of RocketMQ listeners with their targets, and prints them.
 *
 * @param rates messages a second
 */
record RocketMqReport(Map<RocketMqCase, Spread> rates) {

  private static final double OF_BARE_IN_MEMORY = 0.8;
  private static final double OF_BARE_IN_BATCHES = 0.6;
  private static final double TIMES_ONE_BY_ONE = 5;

  private double times(RocketMqCase one, RocketMqSubject base) {
    return Objects.requireNonNull(rates.get(one)).median()
        / Objects.requireNonNull(rates.get(one.of(base))).median();
  }

  private double ofBare(RocketMqCase one) {
    return times(one, RocketMqSubject.BARE);
  }

  private double timesOneByOne(RocketMqCase one) {
    return times(one, RocketMqSubject.ONE_BY_ONE);
  }

  /** Returns whether the target was reached; empty without a target. */
  Optional<Boolean> reached(RocketMqCase one) {
    return switch (one.subject()) {
      case BARE, ONE_BY_ONE -> Optional.empty();
      case MEMORY -> Optional.of(ofBare(one) >= OF_BARE_IN_MEMORY);
      case REDIS, POSTGRES ->
        one.batch() == 1
            ? Optional.empty()
            : Optional.of(
                ofBare(one) >= OF_BARE_IN_BATCHES || timesOneByOne(one) >= TIMES_ONE_BY_ONE);
    };
  }

  String text() {
    StringBuilder text = new StringBuilder();
    rates.forEach((one, spread) -> {
      if (one.subject() == RocketMqSubject.BARE) {
        text.append(format("%n%s%n", one.situation()));
        text.append(format(
            "  %-32s %11s %6s %9s %13s%n", "", "messages/s", "+-", "of bare", "x one by one"));
      }
      text.append(line(one, spread));
    });
    text.append(format(
        "%nAims: in memory %.0f %% of the bare listener; Redis and PostgreSQL with batches %.0f %% of"
            + " it or %.0f x one by one.%n",
        100 * OF_BARE_IN_MEMORY, 100 * OF_BARE_IN_BATCHES, TIMES_ONE_BY_ONE));
    return text.toString();
  }

  private String line(RocketMqCase one, Spread spread) {
    return format(
        "  %-32s %,11.0f %4.0f %% %7.0f %% %13.2f%s%n",
        one.subject().title(),
        spread.median(),
        spread.percent(),
        100 * ofBare(one),
        timesOneByOne(one),
        reached(one).map(it -> "  " + Benchmark.reached(it)).orElse(""));
  }
}
