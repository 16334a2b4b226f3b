package io.hapax.bench;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The results of a Kafka benchmark.
 *
 * @param date the start of the run
 * @param servers version and settings of the stores' servers
 * @param rates records a second
 * @param latencies the latencies by records a second
 * @param callMillis the time of one call of a receiver's store for one message
 * @param profiles the profiles as text
 */
record KafkaResults(
    Instant date,
    Map<String, Map<String, String>> servers,
    Map<KafkaSubject, Spread> rates,
    Map<Integer, Map<KafkaSubject, KafkaLatency>> latencies,
    Map<KafkaSubject, Double> callMillis,
    List<String> profiles) {}
