package io.hapax.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes records that were consumed before. Their bytes are those that were received, if they
 * are known; otherwise the serializers of the properties write them. Thread-safe.
 *
 * @param <K> the record's key
 * @param <V> the record's value
 */
final class RecordProducer<K, V> implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Producer<byte[], byte[]> producer;
  private final Serializer<K> keys;
  private final Serializer<V> values;

  private RecordProducer(
      Producer<byte[], byte[]> producer, Serializer<K> keys, Serializer<V> values) {
    this.producer = producer;
    this.keys = keys;
    this.values = values;
  }

  static <K, V> RecordProducer<K, V> open(Map<String, Object> properties) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    Serializer<K> keys = serializer(properties, ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, true);
    Serializer<V> values =
        serializer(properties, ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, false);
    return new RecordProducer<>(new KafkaProducer<>(properties, bytes, bytes), keys, values);
  }

  @SuppressWarnings("unchecked") // only the properties name the type
  private static <T> Serializer<T> serializer(
      Map<String, Object> properties, String name, boolean isKey) {
    Serializer<T> serializer =
        new ProducerConfig(properties).getConfiguredInstance(name, Serializer.class);
    serializer.configure(properties, isKey);
    return serializer;
  }

  /** Returns a record as it is published. */
  ProducerRecord<byte[], byte[]> serialized(
      String topic, @Nullable Integer partition, ConsumerRecord<K, V> record, Headers headers) {
    byte[] value = ReceivedRecord.value(record)
        .orElseGet(() -> values.serialize(topic, headers, record.value()));
    byte[] key =
        ReceivedRecord.key(record).orElseGet(() -> keys.serialize(topic, headers, record.key()));
    return new ProducerRecord<>(topic, partition, key, value, headers);
  }

  /** Waits until all in-sync replicas have a record. */
  void send(ProducerRecord<byte[], byte[]> record)
      throws ExecutionException, TimeoutException, InterruptedException {
    producer.send(record).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    producer.close(TIMEOUT);
    keys.close();
    values.close();
  }
}
