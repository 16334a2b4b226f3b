package io.hapax.cli;

import io.hapax.IdExtractor;
import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditReport;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.ReplayPlan;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicPart;
import io.hapax.kafka.KafkaAudit;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaRedriver;
import io.hapax.kafka.KafkaReplay;
import io.hapax.mark.Fingerprint;
import io.hapax.redrive.LetterChoice;
import io.hapax.redrive.RedriveReport;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka. */
final class KafkaBroker implements Broker {

  private final Map<String, Object> properties = new HashMap<>();
  private final AuditSettings<ConsumerRecord<Object, Object>> settings;
  private final Duration patience;
  private final Class<?> serializer;

  KafkaBroker(String bootstrap, Properties more, ConsumerOptions consumer, Duration patience) {
    more.forEach((name, value) -> properties.put(String.valueOf(name), value));
    Class<?> deserializer =
        consumer.format() == Format.TEXT ? StringDeserializer.class : ByteArrayDeserializer.class;
    serializer =
        consumer.format() == Format.TEXT ? StringSerializer.class : ByteArraySerializer.class;
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, deserializer);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, deserializer);
    Function<ConsumerRecord<Object, Object>, Fingerprint> fingerprint =
        consumer.comparesPayloads() ? KafkaFingerprints.value() : record -> Fingerprint.NONE;
    this.settings = AuditSettings.of(consumer.consumer(), ids(consumer.id()), fingerprint)
        .withMissingIds(consumer.missingIds())
        .withSamples(consumer.samples());
    this.patience = patience;
  }

  /** Those that a producer knows, and serializers for what is read as it is. */
  private Map<String, Object> producerProperties() {
    Map<String, Object> forProducer = new HashMap<>(properties);
    forProducer.keySet().retainAll(ProducerConfig.configNames());
    forProducer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, serializer);
    forProducer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, serializer);
    return forProducer;
  }

  private static IdExtractor<ConsumerRecord<Object, Object>> ids(String where) {
    if (where.equals("key")) {
      return KafkaIds.key();
    } else if (where.startsWith("header:")) {
      return KafkaIds.header(where.substring("header:".length()));
    } else if (where.startsWith("value:")) {
      return KafkaIds.jsonPointer(where.substring("value:".length()));
    }
    throw new IllegalArgumentException(
        "--id is " + where + " but must be header:NAME, key, or value:/json/pointer");
  }

  private KafkaAudit<Object, Object> audit(DedupStore store, AuditProgress progress) {
    return KafkaAudit.of(store, settings, properties).withProgress(progress).withPatience(patience);
  }

  @Override
  public AuditReport audit(
      DedupStore store, TopicPart part, StartingPoint from, AuditProgress progress)
      throws InterruptedException {
    return audit(store, progress).run(part, from);
  }

  @Override
  public AuditReport auditAgain(DedupStore store, ReplayPlan plan, AuditProgress progress)
      throws InterruptedException {
    return audit(store, progress).runAgain(plan);
  }

  @Override
  public AuditReport auditSkipped(DedupStore store, ReplayPlan plan, AuditProgress progress)
      throws InterruptedException {
    return audit(store, progress).runSkipped(plan);
  }

  @Override
  public Replay replay(String group) {
    KafkaReplay replay = KafkaReplay.of(properties, group);
    return new Replay() {
      @Override
      public ReplayPlan plan(TopicPart part, StartingPoint to) throws InterruptedException {
        return replay.plan(part, to);
      }

      @Override
      public void execute(ReplayPlan plan) throws InterruptedException {
        replay.execute(plan);
      }

      @Override
      public void close() {
        replay.close();
      }
    };
  }

  @Override
  public Redriver redriver(DedupStore store) {
    KafkaRedriver<Object, Object> redriver =
        KafkaRedriver.of(store, settings.consumer(), settings.ids(), producerProperties());
    return new Redriver() {
      @Override
      public RedriveReport plan(TopicPart letters, StartingPoint from, LetterChoice which)
          throws InterruptedException {
        return redriver.plan(properties, letters, from, which);
      }

      @Override
      public RedriveReport redrive(TopicPart letters, StartingPoint from, LetterChoice which)
          throws InterruptedException {
        return redriver.redrive(properties, letters, from, which);
      }

      @Override
      public void close() {
        redriver.close();
      }
    };
  }
}
