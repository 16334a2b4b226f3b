package io.hapax.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The results of a Kafka benchmark, and their comparison with the targets.
 *
 * @param servers version and settings of the stores' servers
 * @param rates records a second
 * @param latencies the latencies by records a second
 * @param callMillis the time of one call of a receiver's store for one message
 */
record KafkaResults(
    Map<String, Map<String, String>> servers,
    Map<KafkaSubject, Spread> rates,
    Map<Integer, Map<KafkaSubject, KafkaLatency>> latencies,
    Map<KafkaSubject, Double> callMillis) {

  private static final double OF_BARE = 0.5;
  private static final double OF_ENGINE = 0.7;
  private static final double OF_STORE = 0.85;
  private static final double TIMES_NAIVE_EACH = 2;
  private static final double TIMES_NAIVE_BATCH = 8;
  private static final double KNOWN_A_SECOND = 100_000;
  private static final double CALLS = 2;
  private static final double MILLIS = 2;

  private Optional<Double> rate(KafkaSubject subject) {
    return Optional.ofNullable(rates.get(subject)).map(Spread::median);
  }

  /** Returns a rate as a multiple of another; empty if one of them was not measured. */
  Optional<Double> times(KafkaSubject subject, KafkaSubject base) {
    return rate(subject).flatMap(rate -> rate(base).map(other -> rate / other));
  }

  /** Returns the rate of a receiver as a part of what its store or its engine does alone. */
  Optional<Double> ofAlone(KafkaSubject subject) {
    return subject.alone().flatMap(alone -> times(subject, alone));
  }

  /** Returns the targets of the rates that were measured. */
  List<Aim> aims() {
    return Stream.of(
            ofBareOrEngine(),
            ofStore(KafkaSubject.REDIS),
            ofStore(KafkaSubject.POSTGRES_BATCH),
            timesNaive(KafkaSubject.POSTGRES_BATCH, TIMES_NAIVE_BATCH),
            timesNaive(KafkaSubject.POSTGRES_EACH, TIMES_NAIVE_EACH),
            ofStore(KafkaSubject.KNOWN_REDIS),
            rate(KafkaSubject.KNOWN_POSTGRES)
                .map(it -> new Aim(
                    KafkaSubject.KNOWN_POSTGRES.title() + ", records a second",
                    KNOWN_A_SECOND,
                    it)))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Aim> ofBareOrEngine() {
    KafkaSubject memory = KafkaSubject.MEMORY;
    return times(memory, KafkaSubject.BARE)
        .flatMap(ofBare -> times(memory, KafkaSubject.ENGINE)
            .map(ofEngine -> ofBare / OF_BARE >= ofEngine / OF_ENGINE
                ? new Aim(memory.title() + ", part of the bare loop", OF_BARE, ofBare)
                : new Aim(memory.title() + ", part of the engine", OF_ENGINE, ofEngine)));
  }

  private Optional<Aim> ofStore(KafkaSubject subject) {
    return ofAlone(subject)
        .map(it -> new Aim(subject.title() + ", part of the store alone", OF_STORE, it));
  }

  private Optional<Aim> timesNaive(KafkaSubject subject, double aim) {
    return times(subject, KafkaSubject.NAIVE_EACH)
        .map(it -> new Aim(subject.title() + ", times a commit a record", aim, it));
  }

  /** Returns the p99 that a subject adds to that of the bare loop; empty without that. */
  Optional<Double> addedMillis(int rate, KafkaSubject subject) {
    Map<KafkaSubject, KafkaLatency> here = latencies.getOrDefault(rate, Map.of());
    Optional<KafkaLatency> own = Optional.ofNullable(here.get(subject));
    Optional<KafkaLatency> bare = Optional.ofNullable(here.get(KafkaSubject.BARE))
        .filter(any -> subject != KafkaSubject.BARE);
    return own.flatMap(it -> bare.map(base -> it.p99Millis() - base.p99Millis()));
  }

  /** Returns the most that a subject should add: two calls of its store, and two milliseconds. */
  double mostMillis(KafkaSubject subject) {
    return CALLS * callMillis.getOrDefault(subject, 0.0) + MILLIS;
  }

  /** Returns whether a subject adds at most that; empty without a bare loop. */
  Optional<Boolean> latencyReached(int rate, KafkaSubject subject) {
    return addedMillis(rate, subject).map(added -> added <= mostMillis(subject));
  }
}
