package io.hapax.kafka;

import io.hapax.adapter.Handout;
import io.hapax.adapter.KeptMessage;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Deserializes records: those of a share consumer, which gets bytes, and kept bytes of any
 * consumer. Kafka's client itself would release a shared record that it cannot deserialize, and so
 * use up the deliveries of that record.
 */
final class RecordReader<K, V> implements AutoCloseable {

  final GuardedDeserializer<K> keys;
  final GuardedDeserializer<V> values;

  private RecordReader(GuardedDeserializer<K> keys, GuardedDeserializer<V> values) {
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
        GuardedDeserializer.of(properties, true, GuardedDeserializer.NO_HEADER),
        GuardedDeserializer.of(properties, false, GuardedDeserializer.NO_HEADER));
  }

  /**
   * Deserializes a record of a share consumer; later calls of a handler get one that is
   * deserialized anew.
   *
   * @throws RuntimeException what a deserializer threw; its errors are wrapped
   */
  Handout<ConsumerRecord<K, V>> handout(ConsumerRecord<byte[], byte[]> raw) {
    Header[] headers = raw.headers().toArray();
    return new KeptMessage<>(read(raw, headers)) {
      @Override
      protected ConsumerRecord<K, V> readAgain() {
        return read(raw, headers);
      }
    };
  }

  /** By one thread at a time: deserializers are made for one thread. */
  private synchronized ConsumerRecord<K, V> read(
      ConsumerRecord<byte[], byte[]> raw, Header[] received) {
    Headers headers = new RecordHeaders(received);
    return new ReceivedRecord<>(
        raw,
        received,
        deserialized(keys, raw.topic(), headers, raw.key()),
        deserialized(values, raw.topic(), headers, raw.value()),
        headers);
  }

  private static <T> @Nullable T deserialized(
      Deserializer<T> deserializer, String topic, Headers headers, byte @Nullable [] bytes) {
    // The deserializer or the handler may change the array.
    return bytes == null ? null : deserializer.deserialize(topic, headers, bytes.clone());
  }

  @Override
  public void close() {
    keys.close();
    values.close();
  }
}
