package io.hapax.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Deserializes records of a share consumer, which gets bytes. Kafka's client itself would release a
 * record that it cannot deserialize, and so use up the deliveries of that record.
 */
final class RecordReader<K, V> implements AutoCloseable {

  private final Deserializer<K> keys;
  private final Deserializer<V> values;

  private RecordReader(Deserializer<K> keys, Deserializer<V> values) {
    this.keys = keys;
    this.values = values;
  }

  /**
   * Makes the deserializers that the properties name.
   *
   * @throws org.apache.kafka.common.KafkaException if they cannot be made
   */
  static <K, V> RecordReader<K, V> of(Map<String, Object> properties) {
    return new RecordReader<>(
        GuardedDeserializer.of(properties, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, true),
        GuardedDeserializer.of(properties, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, false));
  }

  /**
   * Deserializes a record.
   *
   * @throws RuntimeException what a deserializer threw; its errors are wrapped
   */
  @SuppressWarnings("NullAway") // a record without key or value has null there
  ConsumerRecord<K, V> read(ConsumerRecord<byte[], byte[]> raw) {
    return new ConsumerRecord<>(
        raw.topic(),
        raw.partition(),
        raw.offset(),
        raw.timestamp(),
        raw.timestampType(),
        raw.serializedKeySize(),
        raw.serializedValueSize(),
        deserialized(keys, raw, raw.key()),
        deserialized(values, raw, raw.value()),
        raw.headers(),
        raw.leaderEpoch(),
        raw.deliveryCount());
  }

  private static <T> @Nullable T deserialized(
      Deserializer<T> deserializer, ConsumerRecord<?, ?> raw, byte @Nullable [] bytes) {
    return bytes == null ? null : deserializer.deserialize(raw.topic(), raw.headers(), bytes);
  }

  @Override
  public void close() {
    keys.close();
    values.close();
  }
}
