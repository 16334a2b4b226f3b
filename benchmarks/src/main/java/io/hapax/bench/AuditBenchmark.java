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
final class AuditBenchmark extends Benchmark {

  @Option(names = "--records", description = "Records in the topic (${DEFAULT-VALUE}).")
  private int records = 1_000_000;

  @Option(names = "--store", description = "redis or postgres (${DEFAULT-VALUE}).")
  private StoreKind store = StoreKind.REDIS;

  AuditBenchmark() {
    super(3);
  }

  @Override
  void check() {
    between("--records", records, 100, 10_000_000);
    if (store != StoreKind.REDIS && store != StoreKind.POSTGRES) {
      throw new IllegalArgumentException("--store is " + store + " but must be redis or postgres");
    }
  }

  @Override
  String measure(Machine machine) throws Exception {
    KafkaTopic topic = new KafkaTopic("audited", records, 4, 100);
    try (Servers servers = new Servers()) {
      topic.fill(servers.kafka());
      Map<String, Object> consumer = KafkaTopic.readers(servers.kafka().bootstrapServers(), 5_000);
      BenchmarkTarget target = servers.target(store);
      target.fill(records);
      Turn<Boolean, Double> turn = (audits, round) -> {
        long begin = System.nanoTime();
        if (audits) {
          audit(topic, consumer, target.store());
        } else {
          poll(topic, consumer);
        }
        return records * 1e9 / (System.nanoTime() - begin);
      };
      Map<Boolean, Spread> rates = turns(1, rounds(), List.of(false, true), turn, Spread::of);
      Spread bare = Objects.requireNonNull(rates.get(false));
      Spread audit = Objects.requireNonNull(rates.get(true));
      return format(
          "%s%n%,d records, marks in %s, median of %d rounds, load %.1f%n"
              + "  bare poll loop %,10.0f records/s%n"
              + "  audit          %,10.0f records/s, %.2f of the bare loop%n",
          machine.text(),
          records,
          store,
          rounds(),
          Machine.load(),
          bare.median(),
          audit.median(),
          audit.times(bare));
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
            AuditSettings.of(Messages.SCOPE, KafkaIds.key(), KafkaConsumers::ofKnown),
            consumer,
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())
        .audit(store, AuditProgress.NONE)
        .run(TopicPart.all(topic.name()), StartingPoint.beginning());
    if (report.ids().done() != topic.records()) {
      throw new IllegalStateException("the audit found\n" + report.toText());
    }
  }
}
