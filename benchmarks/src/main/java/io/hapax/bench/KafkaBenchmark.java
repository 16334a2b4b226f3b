package io.hapax.bench;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures consumers of a real broker. Each reads the same topic from its beginning in its own
 * group, and all take turns with the engine and the stores alone. Committed records count.
 */
final class KafkaBenchmark {

  private final KafkaSetup setup;
  private final PrintWriter progress;
  private final boolean profiled;
  private int latencyTopics;

  /**
   * Creates a benchmark.
   *
   * @param profiled whether each consumer is sampled afterwards
   */
  KafkaBenchmark(KafkaSetup setup, PrintWriter progress, boolean profiled) {
    this.setup = setup;
    this.progress = progress;
    this.profiled = profiled;
  }

  KafkaResults run() throws Exception {
    Instant date = Instant.now();
    try (KafkaServers servers = new KafkaServers();
        KafkaTurns turns = new KafkaTurns(setup, servers)) {
      long begin = System.nanoTime();
      setup.topic().fill(servers.kafka());
      tell("topic filled in %.1f s", (System.nanoTime() - begin) / 1e9);
      Map<KafkaSubject, Spread> rates = new EnumMap<>(KafkaSubject.class);
      List<String> profiles = new ArrayList<>();
      turns.fill(setup.fresh(), StoresBenchmark.KNOWN_AT_LEAST);
      rates.putAll(rates(turns, setup.fresh()));
      profiles.addAll(profiles(turns, servers, setup.fresh()));
      Map<KafkaSubject, Double> callMillis = new EnumMap<>(KafkaSubject.class);
      Map<Integer, Map<KafkaSubject, KafkaLatency>> latencies =
          latencies(turns, servers, callMillis);
      if (!setup.replays().isEmpty()) {
        turns.fill(setup.replays(), setup.topic().records());
        rates.putAll(rates(turns, setup.replays()));
        profiles.addAll(profiles(turns, servers, setup.replays()));
      }
      return new KafkaResults(date, servers.settings(), rates, latencies, callMillis, profiles);
    }
  }

  private Map<KafkaSubject, Spread> rates(KafkaTurns turns, List<KafkaSubject> subjects)
      throws Exception {
    Map<KafkaSubject, List<Double>> rates = new EnumMap<>(KafkaSubject.class);
    for (int round = 1 - setup.length().warmUps(); round <= setup.length().rounds(); round++) {
      for (KafkaSubject subject : subjects) {
        double rate = turns.rate(subject);
        tell("round %d, %s: %,.0f records/s", round, subject, rate);
        if (round > 0) {
          rates.computeIfAbsent(subject, same -> new ArrayList<>()).add(rate);
        }
      }
    }
    Map<KafkaSubject, Spread> spreads = new EnumMap<>(KafkaSubject.class);
    rates.forEach((subject, values) -> spreads.put(subject, Spread.of(values)));
    return spreads;
  }

  /** Measures latencies in turns, and the calls of the stores at the same time. */
  private Map<Integer, Map<KafkaSubject, KafkaLatency>> latencies(
      KafkaTurns turns, KafkaServers servers, Map<KafkaSubject, Double> callMillis)
      throws Exception {
    List<KafkaSubject> subjects =
        setup.fresh().stream().filter(KafkaSubject::hasLatency).toList();
    Map<Integer, Map<KafkaSubject, List<KafkaLatency>>> rounds = new LinkedHashMap<>();
    Map<KafkaSubject, List<Double>> calls = new EnumMap<>(KafkaSubject.class);
    for (int round = 1; round <= setup.length().rounds() && !setup.latencies().isEmpty(); round++) {
      for (KafkaSubject subject : subjects) {
        servers.clear();
        if (subject.onRedis() || subject.onPostgres()) {
          calls.computeIfAbsent(subject, same -> new ArrayList<>()).add(turns.callMillis(subject));
        }
        for (int rate : setup.latencies()) {
          KafkaLatency latency = latency(turns, servers, subject, rate);
          tell(
              "round %d, %s, %,d records/s: p99 %.2f ms",
              round, subject, rate, latency.p99Millis());
          rounds
              .computeIfAbsent(rate, same -> new EnumMap<>(KafkaSubject.class))
              .computeIfAbsent(subject, same -> new ArrayList<>())
              .add(latency);
        }
      }
    }
    calls.forEach((subject, values) -> callMillis.put(subject, Spread.of(values).median()));
    Map<Integer, Map<KafkaSubject, KafkaLatency>> medians = new LinkedHashMap<>();
    rounds.forEach((rate, here) -> {
      Map<KafkaSubject, KafkaLatency> of = new EnumMap<>(KafkaSubject.class);
      here.forEach((subject, values) -> of.put(subject, KafkaLatency.median(values)));
      medians.put(rate, of);
    });
    return medians;
  }

  private KafkaLatency latency(
      KafkaTurns turns, KafkaServers servers, KafkaSubject subject, int rate) throws Exception {
    KafkaTopic topic = setup.topic().named("latency-" + ++latencyTopics);
    return new KafkaLatencyTurn(topic, rate, setup.length().seconds())
        .measure(subject, turns, servers);
  }

  /** Profiles a turn of each consumer that does not count. */
  private List<String> profiles(KafkaTurns turns, KafkaServers servers, List<KafkaSubject> subjects)
      throws Exception {
    List<String> profiles = new ArrayList<>();
    for (KafkaSubject subject : subjects) {
      if (profiled && subject.consumes()) {
        if (!subject.replays()) {
          servers.clear();
        }
        profiles.add(String.format(
            Locale.ROOT,
            "%nProfile: %s%n%s",
            subject.title(),
            KafkaProfile.of(subject, turns, setup)));
      }
    }
    return profiles;
  }

  private void tell(String format, Object... values) {
    progress.println("bench: " + String.format(Locale.ROOT, format, values));
    progress.flush();
  }
}
