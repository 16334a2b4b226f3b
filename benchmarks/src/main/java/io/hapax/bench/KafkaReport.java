package io.hapax.bench;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Prints a Kafka benchmark as text: a header, a table of rates, one of latencies, and the targets.
 *
 * @param setup the settings
 * @param machine the machine
 * @param load the machine's load average at the end
 * @param results the figures
 */
record KafkaReport(
    KafkaSetup setup, Map<String, String> machine, double load, KafkaResults results) {

  private static final String TITLE = "  %-42s";

  String text() {
    StringBuilder text = new StringBuilder();
    header(text);
    rates(text);
    if (!results.latencies().isEmpty()) {
      latencies(text);
    }
    aims(text);
    return text.toString();
  }

  private void header(StringBuilder text) {
    text.append(format(
        "%nHapax, Kafka: records a second, median of %d rounds of at most %.1f s; %s%n",
        setup.length().rounds(), setup.length().seconds(), results.date()));
    text.append(format(
        "  %,d records of %d bytes in %d partitions, max.poll.records %d; stores alone: batches of %d,"
            + " %d threads%n",
        setup.topic().records(),
        setup.topic().valueBytes(),
        setup.topic().partitions(),
        setup.poll(),
        setup.poll(),
        setup.threads()));
    text.append(format("  machine: %s, load %.1f%n", Machine.text(machine), load));
    results
        .servers()
        .forEach((server, said) -> text.append(format("  %s: %s%n", server, Machine.text(said))));
  }

  private void rates(StringBuilder text) {
    text.append(format(
        "%n" + TITLE + " %11s %6s %8s %9s %12s%n",
        "",
        "records/s",
        "+-",
        "of bare",
        "of alone",
        "x commit each"));
    results.rates().forEach((subject, spread) -> text.append(rate(subject, spread)));
  }

  private String rate(KafkaSubject subject, Spread spread) {
    KafkaAims aims = new KafkaAims(results);
    return format(
            TITLE + " %,11.0f %4.0f %% %8s %9s %12s",
            subject.title(),
            spread.median(),
            spread.percent(),
            percent(aims.times(subject, KafkaSubject.BARE)),
            percent(aims.ofAlone(subject)),
            aims.times(subject, KafkaSubject.NAIVE_EACH)
                .map(it -> format("%.2f", it))
                .orElse(""))
        + "\n";
  }

  private static String percent(Optional<Double> share) {
    return share.map(it -> format("%.0f %%", 100 * it)).orElse("");
  }

  private void latencies(StringBuilder text) {
    KafkaAims aims = new KafkaAims(results);
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
            millis(aims.addedMillis(rate, subject)),
            millis(aims.addedMillis(rate, subject).map(any -> aims.mostMillis(subject))),
            aims.latencyReached(rate, subject).map(KafkaReport::reached).orElse("")))));
  }

  private static String millis(Optional<Double> value) {
    return value.map(it -> format("%.2f", it)).orElse("");
  }

  private static String reached(boolean is) {
    return is ? "reached" : "MISSED";
  }

  private void aims(StringBuilder text) {
    text.append("\nAims:\n");
    for (Aim aim : new KafkaAims(results).ofRates()) {
      text.append(format(
          "  %-7s %s: %,.2f, aim %,.2f%n",
          reached(aim.reached()), aim.what(), aim.value(), aim.aim()));
    }
    text.append("  added p99: at most 2 calls of the store for one message, and 2 ms\n");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
