package io.hapax.bench;

import static io.hapax.bench.JsonFile.rounded;

import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a Kafka benchmark as JSON. */
final class KafkaJson {

  private KafkaJson() {}

  static Map<String, Object> of(KafkaReport report) {
    KafkaResults results = report.results();
    KafkaSetup setup = report.setup();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("benchmark", "kafka");
    json.put("date", results.date().toString());
    json.put("machine", report.machine());
    json.put("load", report.load());
    json.put("servers", results.servers());
    json.put("records", setup.topic().records());
    json.put("partitions", setup.topic().partitions());
    json.put("valueBytes", setup.topic().valueBytes());
    json.put("poll", setup.poll());
    json.put("threadsOfStoresAlone", setup.threads());
    json.put("seconds", setup.length().seconds());
    json.put("rounds", setup.length().rounds());
    KafkaAims aims = new KafkaAims(results);
    Map<String, Object> rates = new LinkedHashMap<>();
    results
        .rates()
        .forEach((subject, spread) -> rates.put(subject.toString(), rate(aims, subject, spread)));
    json.put("rates", rates);
    Map<String, Object> latencies = new LinkedHashMap<>();
    results
        .latencies()
        .forEach((rate, here) -> latencies.put(rate.toString(), latencies(aims, rate, here)));
    json.put("latencies", latencies);
    json.put("aims", aims.ofRates().stream().map(Aim::json).toList());
    return json;
  }

  private static Map<String, Object> rate(KafkaAims aims, KafkaSubject subject, Spread spread) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("recordsPerSecond", rounded(spread.median(), 0));
    json.put("low", rounded(spread.low(), 0));
    json.put("high", rounded(spread.high(), 0));
    aims.times(subject, KafkaSubject.BARE).ifPresent(it -> json.put("ofBare", rounded(it, 3)));
    aims.ofAlone(subject).ifPresent(it -> json.put("ofAlone", rounded(it, 3)));
    return json;
  }

  private static Map<String, Object> latencies(
      KafkaAims aims, int rate, Map<KafkaSubject, KafkaLatency> here) {
    Map<String, Object> json = new LinkedHashMap<>();
    here.forEach((subject, latency) -> {
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put("p50Millis", rounded(latency.p50Millis(), 3));
      figures.put("p99Millis", rounded(latency.p99Millis(), 3));
      aims.addedMillis(rate, subject)
          .ifPresent(it -> figures.put("addedP99Millis", rounded(it, 3)));
      aims.latencyReached(rate, subject).ifPresent(it -> figures.put("reached", it));
      json.put(subject.toString(), figures);
    });
    return json;
  }
}
