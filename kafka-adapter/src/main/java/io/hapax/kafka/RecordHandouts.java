package io.hapax.kafka;

import io.hapax.adapter.Handout;
import io.hapax.adapter.KeptMessage;
import io.hapax.adapter.Unchangeable;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Makes the handouts of a consumer's records. Later calls of a handler get records that are read
 * from kept bytes, with deserializers that are made for the first of these calls. A consumer of the
 * application keeps no bytes, and an interceptor may have made another object than the
 * deserializer: then only texts, numbers and byte arrays can be given again.
 */
final class RecordHandouts<K, V> implements AutoCloseable {

  private static final String KEY = "hapax-kept-key";
  private static final String VALUE = "hapax-kept-value";

  private final Optional<Map<String, Object>> properties;
  private @Nullable RecordReader<K, V> reader;

  /** Whether a record could be given once only. Belongs to the poll thread. */
  private boolean mayBeSpent;

  private RecordHandouts(Optional<Map<String, Object>> properties) {
    this.properties = properties;
  }

  /** Of a consumer that {@link #consumer} makes. */
  static <K, V> RecordHandouts<K, V> keeping(Map<String, Object> properties) {
    return new RecordHandouts<>(Optional.of(properties));
  }

  /** Of a consumer of the application. */
  static <K, V> RecordHandouts<K, V> ofOthers() {
    return new RecordHandouts<>(Optional.empty());
  }

  /** Makes a consumer with guarded deserializers whose bytes are kept. */
  static <K, V> Consumer<K, V> consumer(Map<String, Object> properties) {
    return new KafkaConsumer<>(
        properties,
        new KeptBytes<>(
            GuardedDeserializer.<K>of(
                properties, ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, true),
            KEY),
        new KeptBytes<>(
            GuardedDeserializer.<V>of(
                properties, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, false),
            VALUE));
  }

  /** Returns whether a record may have to be read from the broker for another call. */
  boolean mayBeSpent() {
    return mayBeSpent;
  }

  /** Returns the handout of a record that no handler has got. */
  Handout<ConsumerRecord<K, V>> of(ConsumerRecord<K, V> record) {
    ConsumerRecord<K, V> received = properties.isPresent() ? received(record) : record;
    Optional<KeptBytes.Source> keySource = ReceivedRecord.keySource(received);
    Optional<KeptBytes.Source> valueSource = ReceivedRecord.valueSource(received);
    Optional<Part<K>> key = part(keySource, record.key(), RecordReader::key);
    Optional<Part<V>> value = part(valueSource, record.value(), RecordReader::value);
    if (key.isEmpty() || value.isEmpty()) {
      mayBeSpent = true;
      return Handout.of(received);
    }
    Header[] headers = received.headers().toArray(); // their arrays are not copied
    return new KeptMessage<>(received) {
      @Override
      protected ConsumerRecord<K, V> readAgain() {
        synchronized (RecordHandouts.this) { // deserializers are made for one thread
          return new ReceivedRecord<>(
              received,
              key.get().again(received),
              value.get().again(received),
              new RecordHeaders(headers),
              keySource,
              valueSource);
        }
      }
    };
  }

  /** Returns a polled record with what was received, without the headers that kept it. */
  static <K, V> ConsumerRecord<K, V> received(ConsumerRecord<K, V> record) {
    Optional<KeptBytes.Source> key = source(record.headers(), KEY);
    Optional<KeptBytes.Source> value = source(record.headers(), VALUE);
    return key.or(() -> value).isPresent()
        ? new ReceivedRecord<>(record, record.key(), record.value(), record.headers(), key, value)
        : record;
  }

  private static Optional<KeptBytes.Source> source(Headers headers, String name) {
    if (headers.lastHeader(name) instanceof KeptBytes.Source source) {
      headers.remove(name);
      return Optional.of(source);
    }
    return Optional.empty();
  }

  /** Makes the key or the value of a record for another call. */
  private interface Part<T> {
    T again(ConsumerRecord<?, ?> record);
  }

  /** Deserializes a key or a value. */
  private interface Reading<K, V, T> {
    T read(RecordReader<K, V> reader, String topic, KeptBytes.Source source);
  }

  @SuppressWarnings("unchecked") // a clone of a byte array is one
  private <T> Optional<Part<T>> part(
      Optional<KeptBytes.Source> source, T read, Reading<K, V, T> reading) {
    if (read instanceof byte[] bytes) {
      byte[] kept = bytes.clone();
      return Optional.of(record -> (T) kept.clone());
    } else if (Unchangeable.is(read)) {
      return Optional.of(record -> read);
    }
    return source
        .filter(it -> it.read() == read)
        .map(it -> record -> reading.read(reader(), record.topic(), it));
  }

  private RecordReader<K, V> reader() {
    RecordReader<K, V> known = reader;
    if (known == null) {
      known = RecordReader.of(properties.orElseThrow());
      reader = known;
    }
    return known;
  }

  @Override
  public synchronized void close() {
    if (reader != null) {
      reader.close();
    }
  }
}
