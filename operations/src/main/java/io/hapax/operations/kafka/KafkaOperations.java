package io.hapax.operations.kafka;

import io.hapax.kafka.internal.ClientProperties;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.operations.Broker;
import io.hapax.operations.audit.AuditSettings;
import io.hapax.operations.audit.ReadingAudit;
import io.hapax.operations.audit.TopicAudit;
import io.hapax.operations.internal.Tracing;
import io.hapax.operations.redrive.LetterRedriver;
import io.hapax.operations.redrive.Redriver;
import io.hapax.operations.replay.GroupReplay;
import io.hapax.operations.text.Text;
import io.hapax.operations.topic.AuditProgress;
import io.hapax.setting.Durations;
import io.hapax.store.DedupStore;
import io.hapax.store.MarkAdmin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Audits, replays, redrives and redeliveries on Kafka. Topics are read with a consumer that belongs
 * to no group: no group is created, joined or moved, so they may be read beside the service.
 *
 * <p>Redrives and redeliveries read and publish bytes, so that no message changes. The
 * deserializers only serve to find its id. A message returns to the partition that it came from.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class KafkaOperations<K, V> implements Broker {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AuditSettings<ConsumerRecord<K, V>> settings;
  private final Map<String, Object> properties;
  private final Map<String, Object> publishing;
  private final Deserializer<K> keys;
  private final Deserializer<V> values;
  private final Duration patience;

  private KafkaOperations(
      AuditSettings<ConsumerRecord<K, V>> settings,
      Map<String, Object> properties,
      Map<String, Object> publishing,
      Deserializer<K> keys,
      Deserializer<V> values,
      Duration patience) {
    this.settings = settings;
    this.properties = properties;
    this.publishing = publishing;
    this.keys = keys;
    this.values = values;
    this.patience = patience;
  }

  /**
   * {@return the operations, without a connection to a broker} Configures the deserializers.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   * @param settings the consumer and the way to read its messages
   * @param client the properties of Kafka's clients, with {@code bootstrap.servers}. Group
   *     properties are ignored, and nothing is ever committed. Unless given,
   *     {@code isolation.level} is {@code read_committed}
   * @param keys the deserializer of the keys, of the class that the receiver uses; must have a
   *     constructor without arguments
   * @param values the deserializer of the values, under the same rules
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
    Map<String, Object> publishing = ClientProperties.of(client, ProducerConfig.configNames());
    return new KafkaOperations<>(
        settings, TopicRecords.withoutGroup(properties), publishing, keys, values, PATIENCE);
  }

  /**
   * {@return a copy with the properties of the producer of redrives, redeliveries and dead letters}
   * By default they are those of the client that a producer knows. Serializers are ignored.
   *
   * @param producer properties as for {@link io.hapax.kafka.KafkaDeadLetterPublisher}
   */
  public KafkaOperations<K, V> withProducer(Map<String, ?> producer) {
    return new KafkaOperations<>(
        settings, properties, new HashMap<>(producer), keys, values, patience);
  }

  /**
   * {@return a copy with another limit of the wait of an audit for a broker that does not answer}
   *
   * @param longest the longest wait, positive; 30 seconds by default
   */
  public KafkaOperations<K, V> withPatience(Duration longest) {
    Durations.positive("patience", longest);
    return new KafkaOperations<>(settings, properties, publishing, keys, values, longest);
  }

  @Override
  public TopicAudit audit(MarkAdmin store, AuditProgress progress) {
    return new ReadingAudit<>(
        store,
        settings,
        () -> new TopicRecords<K, V>(properties, patience),
        new ReadingAudit.Fields<>(
            KafkaOperations::digest, KafkaOperations::names, ConsumerRecord::timestamp),
        progress);
  }

  /** Returns a digest of all headers that remain if a message is sent again. */
  private static Fingerprint digest(ConsumerRecord<?, ?> record) {
    Fingerprint digest = Fingerprint.NONE;
    for (Header header : record.headers()) {
      if (header.value() != null && !Tracing.isTracing(header.key())) {
        digest = digest.and(header.key(), header.value());
      }
    }
    return digest;
  }

  private static Text names(ConsumerRecord<?, ?> record) {
    List<String> names = new ArrayList<>();
    record.headers().forEach(header -> names.add(header.key()));
    return Tracing.names("headers", names);
  }

  @Override
  public GroupReplay replay(String group) {
    if (group.isBlank()) {
      throw Text.of("group.blank").refusal();
    }
    return new GroupReplay(new KafkaGroup(new TopicRecords<>(properties, PATIENCE), group));
  }

  @Override
  public Redriver redriver(DedupStore store) {
    Map<String, Object> reading = new HashMap<>(properties);
    reading.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    reading.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    Map<String, Object> bytes = new HashMap<>(publishing);
    bytes.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    bytes.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    return new LetterRedriver<>(
        new KafkaLetters(reading, bytes), store, settings.consumer(), this::idOf);
  }

  private Optional<Bytes> idOf(ConsumerRecord<byte[], byte[]> record) {
    return settings.ids().idOf(asRead(record));
  }

  /**
   * Returns the record as the receiver reads it. Reads copies, because a deserializer may change
   * bytes and headers. Kafka gives no deserializer a null.
   */
  @SuppressWarnings("NullAway") // a record may have no key and no value
  private ConsumerRecord<K, V> asRead(ConsumerRecord<byte[], byte[]> record) {
    Headers headers = new RecordHeaders(record.headers().toArray());
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        read(keys, record, headers, record.key()),
        read(values, record, headers, record.value()),
        headers,
        record.leaderEpoch());
  }

  private static <T> @Nullable T read(
      Deserializer<T> deserializer,
      ConsumerRecord<?, ?> record,
      Headers headers,
      byte @Nullable [] bytes) {
    return bytes == null ? null : deserializer.deserialize(record.topic(), headers, bytes.clone());
  }
}
