package io.hapax.bench;

import io.hapax.kafka.KafkaIds;
import io.hapax.operations.audit.AuditReport;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.kafka.KafkaOperations;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.operations.topic.StartingPoint;
import io.hapax.operations.topic.TopicPart;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Audits a topic, and reads it with a bare poll loop for comparison. Both take turns, so that they
 * meet the same load.
 */
@Command(
    name = "audit",
    sortOptions = false,
    description = {
      "Measures the audit of a topic on a real Kafka broker against DONE marks in a real store,"
          + " and compares it with a bare poll loop over the same topic.",
      ""
    })
final class AuditCommand extends Benchmark<Map<AuditCommand.Reader, Spread>> {

  private static final double AIM = 150_000;

  /** The stores of the measurement. */
  enum Marks {
    /** Redis. */
    REDIS,
    /** PostgreSQL. */
    POSTGRES
  }

  /** The readers of the topic. */
  enum Reader {
    /** A loop that polls and counts. */
    BARE,
    /** The audit. */
    AUDIT
  }

  @Option(names = "--records", description = "Records in the topic (${DEFAULT-VALUE}).")
  private int records = 1_000_000;

  @Option(
      names = "--rounds",
      description = "Rounds that count, after one warm-up round (${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(names = "--store", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Marks marks = Marks.REDIS;

  @Override
  void check() {
    between("--records", records, 100, 10_000_000);
    between("--rounds", rounds, 1, 100);
  }

  @Override
  Map<Reader, Spread> measure() throws Exception {
    KafkaTopic topic = new KafkaTopic("audited", records, 4, 100);
    try (Servers servers = new Servers()) {
      topic.fill(servers.kafka());
      Map<String, Object> consumer = KafkaTopic.readers(servers.kafka().bootstrapServers(), 5_000);
      BenchmarkTarget target = marks == Marks.REDIS ? servers.redis() : servers.postgres();
      target.fill(records);
      DedupStore store =
          marks == Marks.REDIS ? servers.redis().store() : servers.postgres().store();
      return Spread.ofEach(turns(1, rounds, List.of(Reader.values()), (reader, round) -> {
        long begin = System.nanoTime();
        if (reader == Reader.BARE) {
          poll(topic, consumer);
        } else {
          audit(topic, consumer, store);
        }
        return records * 1e9 / (System.nanoTime() - begin);
      }));
    }
  }

  private static void poll(KafkaTopic topic, Map<String, Object> consumer) {
    try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(consumer)) {
      List<TopicPartition> partitions = reader.partitionsFor(topic.name()).stream()
          .map(it -> new TopicPartition(it.topic(), it.partition()))
          .toList();
      reader.assign(partitions);
      reader.seekToBeginning(partitions);
      long count = 0;
      while (count < topic.records()) {
        count += reader.poll(Duration.ofSeconds(1)).count();
      }
    }
  }

  private static void audit(KafkaTopic topic, Map<String, Object> consumer, DedupStore store)
      throws InterruptedException {
    AuditReport report = KafkaOperations.<byte[], byte[]>of(
            AuditSettings.of(Messages.SCOPE, KafkaIds.key(), KafkaReceivers::ofKnown),
            consumer,
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())
        .audit(store, AuditProgress.NONE)
        .run(TopicPart.all(topic.name()), StartingPoint.beginning());
    if (report.ids().done() != topic.records()) {
      throw new IllegalStateException("the audit found\n" + report.toText());
    }
  }

  @Override
  String text(Machine machine, Map<Reader, Spread> rates) {
    double bare = Objects.requireNonNull(rates.get(Reader.BARE)).median();
    double audit = Objects.requireNonNull(rates.get(Reader.AUDIT)).median();
    return format(
        "%s%n%,d records, marks in %s, median of %d rounds, load %.1f%n"
            + "  bare poll loop %,10.0f records/s%n"
            + "  audit          %,10.0f records/s, %.2f of the bare loop, aim %,.0f: %s%n",
        machine.text(),
        records,
        marks.name().toLowerCase(Locale.ROOT),
        rounds,
        Machine.load(),
        bare,
        audit,
        audit / bare,
        AIM,
        reached(audit >= AIM));
  }
}
