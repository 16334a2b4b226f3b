package io.hapax.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Runs turns of subjects, each with a new group and new ids unless it replays. */
final class KafkaTurns implements AutoCloseable {

  private final KafkaTopic topic;
  private final int poll;
  private final int threads;
  private final Duration limit;
  private final Servers servers;
  private final Map<KafkaSubject, StoreAlone> alone = new EnumMap<>(KafkaSubject.class);
  private final EngineSetup engine;
  private long known;
  private int groups;

  /**
   * Creates turns.
   *
   * @param topic the topic that consumers read from its beginning
   * @param poll {@code max.poll.records}, and the batch of engine and stores alone
   * @param threads threads that call a store alone
   * @param limit the longest time of a turn of a consumer; half of it without Kafka
   */
  KafkaTurns(KafkaTopic topic, int poll, int threads, Duration limit, Servers servers) {
    this.topic = topic;
    this.poll = poll;
    this.threads = threads;
    this.limit = limit;
    this.servers = servers;
    int messages = Math.max(poll, Math.min(topic.records(), 200_000));
    this.engine = new EngineSetup(poll, topic.partitions(), messages / poll);
  }

  /** Empties the stores of the subjects, and inserts the known messages. */
  void fill(List<KafkaSubject> subjects, long messages) throws Exception {
    closeStores();
    known = messages;
    boolean redis = subjects.stream().anyMatch(KafkaSubject::onRedis);
    boolean postgres = subjects.stream().anyMatch(KafkaSubject::onPostgres);
    if (redis) {
      servers.redis().fill(messages);
    }
    if (postgres) {
      servers.postgres().fill(messages);
    }
  }

  /** Returns the records a second of a turn. */
  double rate(KafkaSubject subject) throws Exception {
    if (!subject.replays()) {
      servers.clear();
    }
    long millis = limit.toMillis() / 2;
    return switch (subject.kind()) {
      case ENGINE -> engineRate(millis);
      case STORE -> alone(subject).rate(StoreAlone.rounds(millis));
      case LOOP, RECEIVER -> consumerRate(subject);
    };
  }

  private double engineRate(long millis) throws Exception {
    double nanos = 0;
    int rounds = 0;
    while (rounds == 0 || nanos < millis * 1e6) {
      nanos += engine.cost(EngineSubject.SINGLE).wallNanos() * engine.messages();
      rounds++;
    }
    return rounds * engine.messages() * 1e9 / nanos;
  }

  private BenchmarkTarget target(KafkaSubject subject) throws SQLException {
    return subject.onRedis() ? servers.redis() : servers.postgres();
  }

  private StoreAlone alone(KafkaSubject subject) throws Exception {
    StoreAlone store = alone.get(subject);
    if (store == null) {
      store =
          new StoreAlone(target(subject), subject.operation().orElseThrow(), poll, threads, known);
      alone.put(subject, store);
    }
    return store;
  }

  private double consumerRate(KafkaSubject subject) throws Exception {
    CommitMeter meter = meter(subject);
    try (AutoCloseable running = start(subject, topic, meter, record -> {})) {
      Objects.requireNonNull(running);
      return meter.rate(limit);
    }
  }

  /** Returns the profile of a turn. */
  String profile(KafkaSubject subject) throws Exception {
    CommitMeter meter = meter(subject);
    try (AutoCloseable running = start(subject, topic, meter, record -> {})) {
      Objects.requireNonNull(running);
      meter.awaitBegin();
      return ConsumerProfile.of(() -> {
        meter.awaitEnd(limit);
        return meter.count();
      });
    }
  }

  /**
   * Returns the meter of a subject. The first polls of each partition do not count if the subject
   * is a receiver: it fills its windows with them, and the first one runs in one-by-one mode.
   */
  private CommitMeter meter(KafkaSubject subject) {
    long skipped = subject.kind() == KafkaSubject.Kind.RECEIVER ? 2L * poll : 1;
    return new CommitMeter(topic.partitions(), skipped, topic.records());
  }

  /**
   * Starts a consumer in a new group.
   *
   * @param handled receives each record after its handler
   */
  AutoCloseable start(
      KafkaSubject subject,
      KafkaTopic source,
      CommitMeter meter,
      Consumer<ConsumerRecord<byte[], byte[]>> handled)
      throws SQLException {
    Map<String, Object> properties = properties(meter);
    return subject.kind() == KafkaSubject.Kind.LOOP
        ? new KafkaLoops(servers).start(subject, source, properties, handled)
        : new KafkaReceivers(servers).start(subject, source, properties, handled);
  }

  /** Returns the properties of a consumer in a new group, whose commits the meter counts. */
  private Map<String, Object> properties(CommitMeter meter) {
    Map<String, Object> properties =
        new HashMap<>(KafkaTopic.readers(servers.kafka().bootstrapServers(), poll));
    properties.put("group.id", "bench-" + ++groups);
    properties.put("auto.offset.reset", "earliest");
    properties.putAll(CommitInterceptor.properties(meter));
    return properties;
  }

  /** Returns the milliseconds of one call of a receiver's store for one message. */
  double callMillis(KafkaSubject subject) throws Exception {
    Operation operation = subject.alone().flatMap(KafkaSubject::operation).orElseThrow();
    int calls = operation == Operation.FRESH ? 2 : 1; // a claim and a settlement
    try (StoreAlone single = new StoreAlone(target(subject), operation, 1, 1, known)) {
      return 1e3 / single.rate(1) / calls;
    }
  }

  private void closeStores() {
    alone.values().forEach(StoreAlone::close);
    alone.clear();
  }

  @Override
  public void close() {
    closeStores();
  }
}
