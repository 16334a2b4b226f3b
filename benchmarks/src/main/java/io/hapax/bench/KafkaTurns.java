package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
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

  private static final int ROUND_MILLIS = 250;
  private static final int MOST_MESSAGES_OF_A_ROUND = 100_000;

  private final KafkaTopic topic;
  private final int poll;
  private final int threads;
  private final Duration limit;
  private final Servers servers;
  private final Map<KafkaSubject, ContenderRun> alone = new EnumMap<>(KafkaSubject.class);
  private final EngineRounds engine;
  private long known;
  private int groups;

  /**
   * Creates turns: {@code poll} is also the batch of engine and stores alone, and the limit of a
   * turn is half as long without Kafka.
   */
  KafkaTurns(KafkaTopic topic, int poll, int threads, Duration limit, Servers servers) {
    this.topic = topic;
    this.poll = poll;
    this.threads = threads;
    this.limit = limit;
    this.servers = servers;
    int messages = Math.max(poll, Math.min(topic.records(), 200_000));
    this.engine = new EngineRounds(poll, topic.partitions(), messages / poll);
  }

  /** Empties the stores of the subjects, and inserts the known messages. */
  void fill(List<KafkaSubject> subjects, long messages) throws Exception {
    close();
    known = messages;
    for (StoreKind store : List.of(StoreKind.REDIS, StoreKind.POSTGRES)) {
      if (subjects.stream().anyMatch(subject -> subject.store() == store)) {
        servers.target(store).fill(messages);
      }
    }
  }

  double rate(KafkaSubject subject) throws Exception {
    if (!subject.replays()) {
      servers.clear();
    }
    long millis = limit.toMillis() / 2;
    if (subject == KafkaSubject.ENGINE) {
      return engineRate(millis);
    }
    if (subject.operation().isPresent()) {
      return rate(alone(subject, subject.operation().get()), Math.max(1, millis / ROUND_MILLIS));
    }
    CommitMeter meter = meter(subject);
    try (AutoCloseable running = start(subject, topic, meter, record -> {})) {
      Objects.requireNonNull(running);
      return meter.rate(limit);
    }
  }

  private double engineRate(long millis) throws InterruptedException {
    double nanos = 0;
    int rounds = 0;
    while (rounds == 0 || nanos < millis * 1e6) {
      nanos += engine.cost(EngineRounds.Subject.SINGLE).wallNanos() * engine.messages();
      rounds++;
    }
    return rounds * engine.messages() * 1e9 / nanos;
  }

  private static double rate(ContenderRun run, long rounds) throws Exception {
    double sum = 0;
    for (long round = 0; round < rounds; round++) {
      sum += run.round();
    }
    return sum / rounds;
  }

  private ContenderRun alone(KafkaSubject subject, Operation operation) throws Exception {
    ContenderRun run = alone.get(subject);
    if (run == null) {
      Contender contender = servers.target(subject.store()).contenders(poll, known).stream()
          .filter(it -> it.role() == Role.HAPAX && it.operation() == operation)
          .findFirst()
          .orElseThrow();
      run = new ContenderRun(contender, threads);
      alone.put(subject, run);
      run.warmUp(ROUND_MILLIS, MOST_MESSAGES_OF_A_ROUND);
    }
    return run;
  }

  /**
   * Returns the meter of a subject. The first polls of each partition do not count if the subject
   * is a receiver: it fills its windows with them, and the first one runs in one-by-one mode.
   */
  private CommitMeter meter(KafkaSubject subject) {
    long skipped = subject.alone().isPresent() ? 2L * poll : 1;
    return new CommitMeter(topic.partitions(), skipped, topic.records());
  }

  /** Starts a consumer in a new group, whose commits the meter counts. */
  AutoCloseable start(
      KafkaSubject subject,
      KafkaTopic source,
      CommitMeter meter,
      Consumer<ConsumerRecord<byte[], byte[]>> handled)
      throws SQLException {
    Map<String, Object> properties =
        new HashMap<>(KafkaTopic.readers(servers.kafka().bootstrapServers(), poll));
    properties.put("group.id", "bench-" + ++groups);
    properties.put("auto.offset.reset", "earliest");
    properties.putAll(meter.properties());
    return new KafkaConsumers(servers, handled).start(subject, source, properties);
  }

  /** Ends the threads that call a store alone. */
  @Override
  public void close() {
    alone.values().forEach(ContenderRun::close);
    alone.clear();
  }
}
