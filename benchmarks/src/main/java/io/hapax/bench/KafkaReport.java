package io.hapax.bench;

import static io.hapax.bench.Benchmark.format;

import io.hapax.bench.KafkaLatencyTurn.Latency;
import io.hapax.bench.RateTable.Ratio;
import java.util.List;
import java.util.Map;
import java.util.Optional;

record KafkaReport(
    Map<KafkaSubject, Spread> rates, Map<Integer, Map<KafkaSubject, Latency>> latencies) {

  private static final RateTable<KafkaSubject> TABLE = new RateTable<>(
      42,
      "records",
      List.of(
          new Ratio<>("of bare", 8, true, it -> Optional.of(KafkaSubject.BARE)),
          new Ratio<>("of alone", 9, true, KafkaSubject::alone),
          new Ratio<>("x commit each", 12, false, it -> Optional.of(KafkaSubject.NAIVE_EACH))));

  Optional<Double> addedMillis(int rate, KafkaSubject subject) {
    Map<KafkaSubject, Latency> here = latencies.getOrDefault(rate, Map.of());
    Latency own = here.get(subject);
    Latency bare = here.get(KafkaSubject.BARE);
    return own == null || bare == null || subject == KafkaSubject.BARE
        ? Optional.empty()
        : Optional.of(own.p99Millis() - bare.p99Millis());
  }

  String text() {
    StringBuilder text = new StringBuilder("\n").append(TABLE.text(rates));
    if (!latencies.isEmpty()) {
      text.append(format(
          "%n  %-42s %9s %8s %8s %9s%n",
          "ms from append to handled", "records/s", "p50", "p99", "added p99"));
    }
    latencies.forEach((rate, here) -> here.forEach((subject, latency) -> text.append(format(
        "  %-42s %,9d %8.2f %8.2f %9s%n",
        subject.title(),
        rate,
        latency.p50Millis(),
        latency.p99Millis(),
        addedMillis(rate, subject).map(it -> format("%.2f", it)).orElse("")))));
    return text.toString();
  }
}
