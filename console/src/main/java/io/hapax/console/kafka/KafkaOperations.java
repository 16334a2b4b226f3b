package io.hapax.console.kafka;

import io.hapax.audit.AuditProgress;
import io.hapax.audit.AuditSettings;
import io.hapax.audit.GroupReplay;
import io.hapax.audit.StartingPoint;
import io.hapax.audit.TopicAudit;
import io.hapax.audit.TopicPart;
import io.hapax.console.operations.Broker;
import io.hapax.kafka.KafkaAudit;
import io.hapax.kafka.KafkaRedelivery;
import io.hapax.kafka.KafkaRedriver;
import io.hapax.kafka.KafkaReplay;
import io.hapax.mark.Bytes;
import io.hapax.redrive.DeadLetterSelection;
import io.hapax.redrive.MarkOperations;
import io.hapax.redrive.Redelivery;
import io.hapax.redrive.RedriveReport;
import io.hapax.redrive.RedriveSettings;
import io.hapax.redrive.Redriver;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Audits, replays, redrives and redeliveries on Kafka, for a console. Redrives and redeliveries
 * read and publish bytes, so that no message changes. The deserializers only serve to find its id.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class KafkaOperations<K, V> implements Broker {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AuditSettings<ConsumerRecord<K, V>> settings;
  private final Map<String, Object> properties;
  private final Deserializer<K> keys;
  private final Deserializer<V> values;
  private final Duration patience;

  private KafkaOperations(
      AuditSettings<ConsumerRecord<K, V>> settings,
      Map<String, Object> properties,
      Deserializer<K> keys,
      Deserializer<V> values,
      Duration patience) {
    this.settings = settings;
    this.properties = properties;
    this.keys = keys;
    this.values = values;
    this.patience = patience;
  }

  /**
   * Prepares the operations, without a connection to a broker. Configures the deserializers.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param settings the consumer and the way to read its messages
   * @param client the properties of Kafka's clients, with {@code bootstrap.servers}
   * @param keys the deserializer of the keys, of the class that the receiver uses; must have a
   *     constructor without arguments
   * @param values the deserializer of the values, under the same rules
   * @return the operations
   */
  public static <K, V> KafkaOperations<K, V> of(
      AuditSettings<ConsumerRecord<K, V>> settings,
      Map<String, ?> client,
      Deserializer<K> keys,
      Deserializer<V> values) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, keys.getClass());
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, values.getClass());
    keys.configure(properties, true);
    values.configure(properties, false);
    return new KafkaOperations<>(settings, properties, keys, values, PATIENCE);
  }

  /**
   * Limits the wait of an audit for a broker that does not answer.
   *
   * @param longest the longest wait; 30 seconds by default
   * @return a copy
   */
  public KafkaOperations<K, V> withPatience(Duration longest) {
    return new KafkaOperations<>(settings, properties, keys, values, longest);
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

  /** Returns the record as the receiver reads it: Kafka gives no deserializer a null. */
  @SuppressWarnings("NullAway") // a record may have no key and no value
  private ConsumerRecord<K, V> asRead(ConsumerRecord<byte[], byte[]> record) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        record.key() == null
            ? null
            : keys.deserialize(record.topic(), record.headers(), record.key()),
        record.value() == null
            ? null
            : values.deserialize(record.topic(), record.headers(), record.value()),
        record.headers(),
        record.leaderEpoch());
  }

  private Optional<Bytes> idOf(ConsumerRecord<byte[], byte[]> record) {
    return settings.ids().idOf(asRead(record));
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
