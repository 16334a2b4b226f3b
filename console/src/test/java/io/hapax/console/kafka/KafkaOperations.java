package io.hapax.console.kafka;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicAudit;
import io.hapax.audit.TopicPart;
import io.hapax.console.operations.Broker;
import io.hapax.kafka.KafkaAudit;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaRedelivery;
import io.hapax.kafka.KafkaRedriver;
import io.hapax.kafka.KafkaReplay;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import io.hapax.servers.LocalKafka;
import io.hapax.store.DedupStore;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Audits, replays and redrives on the local Kafka, as those of the command line. */
public record KafkaOperations(
    String consumer, Map<String, Object> reading, Map<String, Object> writing) implements Broker {

  private static final int SAMPLES = 20;

  /** Where the messages have their ids. */
  public static final String ID = "order-id";

  public static final IdExtractor<ConsumerRecord<byte[], byte[]>> IDS = KafkaIds.header(ID);

  public static KafkaOperations on(LocalKafka kafka, String consumer) {
    return new KafkaOperations(consumer, reading(kafka, consumer), writing(kafka));
  }

  /** Returns the properties of a consumer that reads bytes. */
  public static Map<String, Object> reading(LocalKafka kafka, String group) {
    return Map.of(
        "bootstrap.servers",
        kafka.bootstrapServers(),
        "group.id",
        group,
        "key.deserializer",
        ByteArrayDeserializer.class,
        "value.deserializer",
        ByteArrayDeserializer.class);
  }

  /** Returns the properties of a producer that writes bytes. */
  public static Map<String, Object> writing(LocalKafka kafka) {
    return Map.of(
        "bootstrap.servers", kafka.bootstrapServers(),
        "key.serializer", ByteArraySerializer.class,
        "value.serializer", ByteArraySerializer.class);
  }

  @Override
  public TopicAudit audit(DedupStore store, AuditProgress progress) {
    AuditSettings<ConsumerRecord<byte[], byte[]>> settings =
        AuditSettings.of(consumer, IDS, KafkaFingerprints.value()).withSamples(SAMPLES);
    return KafkaAudit.of(store, settings, reading).withProgress(progress);
  }

  @Override
  public GroupReplay replay(String group) {
    return KafkaReplay.of(reading, group);
  }

  @Override
  public Redriver redriver(DedupStore store, RedriveSettings settings) {
    KafkaRedriver<byte[], byte[]> redriver =
        KafkaRedriver.of(store, consumer, IDS, settings, writing);
    return new Redriver() {
      @Override
      public RedriveReport plan(TopicPart letters, StartingPoint from, DeadLetterSelection which)
          throws InterruptedException {
        return redriver.plan(reading, letters, from, which);
      }

      @Override
      public RedriveReport redrive(TopicPart letters, StartingPoint from, DeadLetterSelection which)
          throws InterruptedException {
        return redriver.redrive(reading, letters, from, which);
      }

      @Override
      public void close() {
        redriver.close();
      }
    };
  }

  @Override
  public Redelivery redelivery(MarkOperations marks) {
    return KafkaRedelivery.of(marks, IDS, reading, writing);
  }
}
