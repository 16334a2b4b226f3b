package io.hapax.cli;

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
import io.hapax.mark.Bytes;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The commands on Kafka. */
final class KafkaBroker implements Broker {

  private final Map<String, Object> properties = new HashMap<>();
  private final AuditSettings<ConsumerRecord<Object, Object>> settings;
  private final Duration patience;
  private final Deserializer<?> keys;
  private final Deserializer<?> values;

  KafkaBroker(String bootstrap, Properties more, ConsumerSettings reading, Duration patience) {
    more.forEach((name, value) -> properties.put(String.valueOf(name), value));
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    this.keys = deserializer(reading.format());
    this.values = deserializer(reading.format());
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, keys.getClass());
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, values.getClass());
    keys.configure(properties, true);
    values.configure(properties, false);
    this.settings = reading.settings(
        reading.ids(KafkaBroker::ids, ConsumerRecord::topic), KafkaFingerprints.value());
    this.patience = patience;
  }

  private static Deserializer<?> deserializer(Format format) {
    return format == Format.TEXT ? new StringDeserializer() : new ByteArrayDeserializer();
  }

  /** Returns the properties that a producer knows, with serializers for unchanged bytes. */
  private Map<String, Object> producerProperties() {
    Map<String, Object> forProducer = new HashMap<>(properties);
    forProducer.keySet().retainAll(ProducerConfig.configNames());
    forProducer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    forProducer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return forProducer;
  }

  /**
   * Returns the properties of a consumer that reads dead-letter records as bytes, because text
   * would not keep their bytes.
   */
  private Map<String, Object> propertiesForBytes() {
    Map<String, Object> forBytes = new HashMap<>(properties);
    forBytes.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    forBytes.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return forBytes;
  }

  /** Returns the record as the receiver reads it. */
  private ConsumerRecord<Object, Object> asRead(ConsumerRecord<byte[], byte[]> record) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        keys.deserialize(record.topic(), record.headers(), record.key()),
        values.deserialize(record.topic(), record.headers(), record.value()),
        record.headers(),
        record.leaderEpoch());
  }

  private Optional<Bytes> idOf(ConsumerRecord<byte[], byte[]> record) {
    return settings.ids().idOf(asRead(record));
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

  @Override
  public TopicAudit audit(DedupStore store, AuditProgress progress) {
    return KafkaAudit.of(store, settings, properties).withProgress(progress).withPatience(patience);
  }

  @Override
  public GroupReplay replay(String group) {
    return KafkaReplay.of(properties, group);
  }

  @Override
  public Redriver redriver(DedupStore store, RedriveSettings rules) {
    Map<String, Object> reading = propertiesForBytes();
    KafkaRedriver<byte[], byte[]> redriver =
        KafkaRedriver.of(store, settings.consumer(), this::idOf, rules, producerProperties());
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
    return KafkaRedelivery.of(marks, this::idOf, propertiesForBytes(), producerProperties());
  }
}
