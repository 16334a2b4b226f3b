package io.hapax.bench;

import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Runs turns of subjects, each with a new group and new ids unless it replays. */
final class KafkaTurns implements AutoCloseable {

  private final KafkaSetup setup;
  private final KafkaServers servers;
  private final KafkaConsumers consumers;
  private final Map<KafkaSubject, StoreAlone> alone = new EnumMap<>(KafkaSubject.class);
  private final EngineBenchmark engine;
  private long known;

  KafkaTurns(KafkaSetup setup, KafkaServers servers) {
    this.setup = setup;
    this.servers = servers;
    this.consumers = new KafkaConsumers(servers.kafka().bootstrapServers(), setup.poll());
    this.engine = new EngineBenchmark(new EngineSetup(
        setup.poll(),
        setup.topic().partitions(),
        Math.max(setup.poll(), Math.min(setup.topic().records(), 200_000)),
        1));
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
    long millis = setup.length().alone().toMillis();
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

  private StoreAlone alone(KafkaSubject subject) throws Exception {
    StoreAlone store = alone.get(subject);
    if (store == null) {
      store = new StoreAlone(
          servers.target(subject),
          subject.operation().orElseThrow(),
          setup.poll(),
          setup.threads(),
          known);
      alone.put(subject, store);
    }
    return store;
  }

  private double consumerRate(KafkaSubject subject) throws Exception {
    CommitMeter meter = setup.meter(subject);
    try (AutoCloseable running = start(subject, setup.topic(), meter, record -> {})) {
      Objects.requireNonNull(running);
      return meter.rate(setup.length().limit());
    }
  }

  /**
   * Starts a consumer in a new group.
   *
   * @param handled receives each record after its handler
   */
  AutoCloseable start(
      KafkaSubject subject,
      KafkaTopic topic,
      CommitMeter meter,
      Consumer<ConsumerRecord<byte[], byte[]>> handled)
      throws SQLException {
    Map<String, Object> properties = consumers.properties(meter);
    return subject.kind() == KafkaSubject.Kind.LOOP
        ? new KafkaLoops(servers).start(subject, topic, properties, handled)
        : new KafkaReceivers(servers).start(subject, topic, properties, handled);
  }

  /** Returns the milliseconds of one call of a receiver's store for one message. */
  double callMillis(KafkaSubject subject) throws Exception {
    Operation operation = subject.alone().flatMap(KafkaSubject::operation).orElseThrow();
    int calls = operation == Operation.FRESH ? 2 : 1; // a claim and a settlement
    try (StoreAlone single = new StoreAlone(servers.target(subject), operation, 1, 1, known)) {
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
