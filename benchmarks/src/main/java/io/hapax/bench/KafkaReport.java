package io.hapax.bench;

import static io.hapax.bench.Benchmark.format;

import io.hapax.bench.KafkaLatencyTurn.Latency;
import java.util.Map;
import java.util.Optional;

/** The results of a Kafka benchmark: records a second, and latencies by records a second. */
record KafkaReport(
    Map<KafkaSubject, Spread> rates, Map<Integer, Map<KafkaSubject, Latency>> latencies) {

  private static final String TITLE = "  %-42s";

  Optional<Double> times(KafkaSubject subject, KafkaSubject base) {
    return Optional.ofNullable(rates.get(subject))
        .flatMap(rate -> Optional.ofNullable(rates.get(base)).map(rate::times));
  }

  Optional<Double> addedMillis(int rate, KafkaSubject subject) {
    Map<KafkaSubject, Latency> here = latencies.getOrDefault(rate, Map.of());
    Optional<Latency> own = Optional.ofNullable(here.get(subject));
    Optional<Latency> bare = Optional.ofNullable(here.get(KafkaSubject.BARE))
        .filter(any -> subject != KafkaSubject.BARE);
    return own.flatMap(it -> bare.map(base -> it.p99Millis() - base.p99Millis()));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(format(
        "%n" + TITLE + " %11s %6s %8s %9s %12s%n",
        "",
        "records/s",
        "+-",
        "of bare",
        "of alone",
        "x commit each"));
    rates.forEach((subject, spread) -> text.append(format(
        TITLE + " %,11.0f %4.0f %% %8s %9s %12s%n",
        subject.title(),
        spread.median(),
        spread.percent(),
        percent(times(subject, KafkaSubject.BARE)),
        percent(subject.alone().flatMap(alone -> times(subject, alone))),
        decimals(times(subject, KafkaSubject.NAIVE_EACH)))));
    if (!latencies.isEmpty()) {
      text.append(format(
          "%n" + TITLE + " %9s %8s %8s %9s%n",
          "ms from append to handled",
          "records/s",
          "p50",
          "p99",
          "added p99"));
    }
    latencies.forEach((rate, here) -> here.forEach((subject, latency) -> text.append(format(
        TITLE + " %,9d %8.2f %8.2f %9s%n",
        subject.title(),
        rate,
        latency.p50Millis(),
        latency.p99Millis(),
        decimals(addedMillis(rate, subject))))));
    return text.toString();
  }

  private static String percent(Optional<Double> share) {
    return share.map(it -> format("%.0f %%", 100 * it)).orElse("");
  }

  private static String decimals(Optional<Double> value) {
    return value.map(it -> format("%.2f", it)).orElse("");
  }
}
