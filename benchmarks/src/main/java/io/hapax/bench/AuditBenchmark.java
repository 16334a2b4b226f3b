package io.hapax.bench;

import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.kafka.KafkaAudit;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Audits a topic, and reads it with a bare poll loop for comparison. Both take turns, so that they
 * meet the same load.
 */
final class AuditBenchmark {

  /**
   * Records a second, as medians of all rounds.
   *
   * @param bare the rate of a loop that polls and counts
   * @param audit the rate of the audit
   */
  record Rates(double bare, double audit) {
    double ratio() {
      return audit / bare;
    }
  }

  private final AuditTopic topic;
  private final Map<String, Object> consumer;
  private final int rounds;

  AuditBenchmark(AuditTopic topic, String bootstrap, int rounds) {
    this.topic = topic;
    this.rounds = rounds;
    this.consumer = Map.of(
        "bootstrap.servers",
        bootstrap,
        "isolation.level",
        "read_committed",
        "max.poll.records",
        5_000,
        "key.deserializer",
        ByteArrayDeserializer.class,
        "value.deserializer",
        ByteArrayDeserializer.class);
  }

  /** Measures both. The first round of each warms up. */
  Rates run(DedupStore store) throws InterruptedException {
    List<Double> bare = new ArrayList<>();
    List<Double> audit = new ArrayList<>();
    for (int i = 0; i <= rounds; i++) {
      double bareRate = rate(this::poll);
      double auditRate = rate(() -> audit(store));
      if (i > 0) {
        bare.add(bareRate);
        audit.add(auditRate);
      }
    }
    return new Rates(Spread.of(bare).median(), Spread.of(audit).median());
  }

  private interface Round {
    void run() throws InterruptedException;
  }

  private double rate(Round round) throws InterruptedException {
    long begin = System.nanoTime();
    round.run();
    return topic.records() * 1e9 / (System.nanoTime() - begin);
  }

  private void poll() {
    Map<String, Object> settings = new HashMap<>(consumer);
    settings.put("enable.auto.commit", "false");
    try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(settings)) {
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

  private void audit(DedupStore store) throws InterruptedException {
    AuditReport report = KafkaAudit.<byte[], byte[]>of(
            store,
            AuditSettings.of(AuditTopic.CONSUMER, KafkaIds.key(), KafkaFingerprints.value()),
            consumer)
        .run(TopicPart.all(topic.name()), StartingPoint.beginning());
    if (report.ids().done() != topic.records()) {
      throw new IllegalStateException("the audit found\n" + report.toText());
    }
  }
}
