package io.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaAimsTest {

  @Test
  void marks_in_memory_are_held_against_the_slower_of_bare_loop_and_engine() {
    KafkaResults slowEngine = ofRates(Map.of(
        KafkaSubject.BARE, 1_000_000.0,
        KafkaSubject.ENGINE, 200_000.0,
        KafkaSubject.MEMORY, 141_000.0));
    KafkaResults slowLoop = ofRates(Map.of(
        KafkaSubject.BARE, 200_000.0,
        KafkaSubject.ENGINE, 1_000_000.0,
        KafkaSubject.MEMORY, 99_000.0));

    assertThat(slowEngine.aims())
        .singleElement()
        .isEqualTo(new Aim("KafkaReceiver, marks in memory, part of the engine", 0.7, 0.705));
    assertThat(slowLoop.aims())
        .singleElement()
        .isEqualTo(new Aim("KafkaReceiver, marks in memory, part of the bare loop", 0.5, 0.495));
  }

  @Test
  void receivers_are_held_against_their_store_and_the_naive_loop() {
    KafkaResults results = ofRates(Map.of(
        KafkaSubject.REDIS_STORE, 100_000.0,
        KafkaSubject.REDIS, 85_000.0,
        KafkaSubject.POSTGRES_STORE, 40_000.0,
        KafkaSubject.POSTGRES_BATCH, 30_000.0,
        KafkaSubject.POSTGRES_EACH, 8_000.0,
        KafkaSubject.NAIVE_EACH, 4_000.0,
        KafkaSubject.KNOWN_POSTGRES, 99_999.0));

    assertThat(results.aims())
        .extracting(Aim::reached)
        .containsExactly(
            true, // Redis of its store
            false, // batches of runOnce
            false, // batches against a commit a record
            true, // each record against a commit a record
            false); // known records a second
  }

  @Test
  void added_latency_may_be_two_calls_of_the_store_and_two_milliseconds() {
    KafkaResults results = results(
        Map.of(),
        Map.of(
            1_000,
            Map.of(
                KafkaSubject.BARE, new KafkaLatency(1, 3),
                KafkaSubject.MEMORY, new KafkaLatency(1, 5.1),
                KafkaSubject.REDIS, new KafkaLatency(1, 5.9))),
        Map.of(KafkaSubject.REDIS, 0.5));

    assertThat(results.addedMillis(1_000, KafkaSubject.REDIS).orElseThrow())
        .isCloseTo(2.9, within(1e-9));
    assertThat(results.latencyReached(1_000, KafkaSubject.REDIS)).contains(true);
    assertThat(results.latencyReached(1_000, KafkaSubject.MEMORY)).contains(false);
    assertThat(results.latencyReached(1_000, KafkaSubject.BARE)).isEmpty();
    assertThat(results.latencyReached(10_000, KafkaSubject.REDIS)).isEmpty();
  }

  @Test
  void percentiles_are_those_of_the_sorted_latencies() {
    long[] nanos = new long[200];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = (nanos.length - i) * 1_000_000L;
    }

    assertThat(KafkaLatency.of(nanos)).isEqualTo(new KafkaLatency(100, 198));
  }

  private static KafkaResults ofRates(Map<KafkaSubject, Double> rates) {
    return results(rates, Map.of(), Map.of());
  }

  private static KafkaResults results(
      Map<KafkaSubject, Double> rates,
      Map<Integer, Map<KafkaSubject, KafkaLatency>> latencies,
      Map<KafkaSubject, Double> callMillis) {
    Map<KafkaSubject, Spread> spreads = new EnumMap<>(KafkaSubject.class);
    rates.forEach((subject, rate) -> spreads.put(subject, Spread.of(List.of(rate))));
    return new KafkaResults(Map.of(), spreads, latencies, callMillis);
  }
}
