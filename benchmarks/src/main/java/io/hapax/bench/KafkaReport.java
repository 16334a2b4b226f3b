package io.hapax.bench;

import static io.hapax.bench.Benchmark.format;

import java.util.Optional;

/**
 * Prints the results of a Kafka benchmark: a table of rates, one of latencies, and the targets.
 *
 * @param results the figures
 */
record KafkaReport(KafkaResults results) {

  private static final String TITLE = "  %-42s";

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
    results.rates().forEach((subject, spread) -> text.append(rate(subject, spread)));
    if (!results.latencies().isEmpty()) {
      latencies(text);
    }
    text.append("\nAims:\n");
    results.aims().forEach(aim -> text.append(aim.text()));
    text.append("  added p99: at most 2 calls of the store for one message, and 2 ms\n");
    return text.toString();
  }

  private String rate(KafkaSubject subject, Spread spread) {
    return format(
        TITLE + " %,11.0f %4.0f %% %8s %9s %12s%n",
        subject.title(),
        spread.median(),
        spread.percent(),
        percent(results.times(subject, KafkaSubject.BARE)),
        percent(results.ofAlone(subject)),
        decimals(results.times(subject, KafkaSubject.NAIVE_EACH)));
  }

  private void latencies(StringBuilder text) {
    text.append(format(
        "%n" + TITLE + " %9s %8s %8s %9s %9s%n",
        "ms from append to handled",
        "records/s",
        "p50",
        "p99",
        "added p99",
        "aim"));
    results
        .latencies()
        .forEach((rate, here) -> here.forEach((subject, latency) -> text.append(format(
            TITLE + " %,9d %8.2f %8.2f %9s %9s %s%n",
            subject.title(),
            rate,
            latency.p50Millis(),
            latency.p99Millis(),
            decimals(results.addedMillis(rate, subject)),
            decimals(results.addedMillis(rate, subject).map(any -> results.mostMillis(subject))),
            results.latencyReached(rate, subject).map(Benchmark::reached).orElse("")))));
  }

  private static String percent(Optional<Double> share) {
    return share.map(it -> format("%.0f %%", 100 * it)).orElse("");
  }

  private static String decimals(Optional<Double> value) {
    return value.map(it -> format("%.2f", it)).orElse("");
  }
}
