package io.hapax.bench;

import io.hapax.bench.Contender.Operation;
import io.hapax.bench.Contender.Role;
import io.hapax.bench.Contender.Task;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Runs turns of subjects, each with a new group and new ids unless it replays. */
final class KafkaTurns implements AutoCloseable {

  /** Threads that call a store alone, as many as a receiver has workers. */
  static final int THREADS = 2;

  private static final int ROUND_MILLIS = 250;
  private static final int MOST_MESSAGES_OF_A_ROUND = 100_000;

  private final KafkaTopic topic;
  private final int poll;
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
  KafkaTurns(KafkaTopic topic, int poll, Duration limit, Servers servers) {
    this.topic = topic;
    this.poll = poll;
    this.limit = limit;
    this.servers = servers;
    int messages = Math.max(poll, Math.min(topic.records(), 200_000));
    this.engine = new EngineRounds(poll, topic.partitions(), messages / poll);
  }

  /** Empties the stores of the subjects, and inserts the known messages. */
  void fill(List<KafkaSubject> subjects, long messages) throws Exception {
    close();
    known = messages;
    for (StoreKind store : subjects.stream().map(KafkaSubject::store).distinct().toList()) {
      if (store != StoreKind.MEMORY) {
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
      ContenderRun run = alone(subject, subject.operation().get());
      long rounds = Math.max(1, millis / ROUND_MILLIS);
      double sum = 0;
      for (long round = 0; round < rounds; round++) {
        sum += run.round();
      }
      return sum / rounds;
    }
    // A receiver fills its windows with its first polls, the first of them in one-by-one mode.
    long skipped = subject.alone().isPresent() ? 2L * poll : 1;
    CommitMeter meter = new CommitMeter(topic.partitions(), skipped, topic.records());
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

  private ContenderRun alone(KafkaSubject subject, Operation operation) throws Exception {
    ContenderRun run = alone.get(subject);
    if (run == null) {
      Contender contender = new Contender(operation, Role.HAPAX, poll);
      Supplier<Task> tasks = Objects.requireNonNull(
          servers.target(subject.store()).tasks(Role.HAPAX).get(operation));
      run = new ContenderRun(contender, tasks, THREADS, known);
      alone.put(subject, run);
      run.warmUp(ROUND_MILLIS, MOST_MESSAGES_OF_A_ROUND);
    }
    return run;
  }

  /** Starts a consumer in a new group, whose commits the meter counts. */
  AutoCloseable start(
      KafkaSubject subject,
      KafkaTopic source,
      CommitMeter meter,
      Consumer<ConsumerRecord<byte[], byte[]>> handled)
      throws Exception {
    Map<String, Object> properties =
        new HashMap<>(KafkaTopic.readers(servers.kafka().bootstrapServers(), poll));
    properties.put("group.id", "bench-" + ++groups);
    properties.put("auto.offset.reset", "earliest");
    properties.putAll(meter.properties());
    return new KafkaConsumers(servers, handled).start(subject, source, properties);
  }

  @Override
  public void close() {
    alone.values().forEach(ContenderRun::close);
    alone.clear();
  }
}
