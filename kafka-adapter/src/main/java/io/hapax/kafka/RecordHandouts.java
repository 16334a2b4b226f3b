package io.hapax.kafka;

import io.hapax.adapter.Handout;
import io.hapax.adapter.KeptMessage;
import io.hapax.adapter.Unchangeable;
import io.hapax.kafka.GuardedDeserializer.Source;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
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
        GuardedDeserializer.<K>of(properties, true, KEY),
        GuardedDeserializer.<V>of(properties, false, VALUE));
  }

  /** Returns whether a record may have to be read from the broker for another call. */
  boolean mayBeSpent() {
    return mayBeSpent;
  }

  /** Returns the handout of a record that no handler has got. */
  Handout<ConsumerRecord<K, V>> of(ConsumerRecord<K, V> record) {
    ConsumerRecord<K, V> received = properties.isPresent() ? received(record) : record;
    Optional<Source> keySource = ReceivedRecord.keySource(received);
    Optional<Source> valueSource = ReceivedRecord.valueSource(received);
    Optional<Supplier<K>> key = part(record.topic(), keySource, record.key(), it -> it.keys);
    Optional<Supplier<V>> value =
        part(record.topic(), valueSource, record.value(), it -> it.values);
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
              key.get().get(),
              value.get().get(),
              new RecordHeaders(headers),
              keySource,
              valueSource);
        }
      }
    };
  }

  /** Returns a polled record with what was received, without the headers that kept it. */
  static <K, V> ConsumerRecord<K, V> received(ConsumerRecord<K, V> record) {
    Optional<Source> key = source(record.headers(), KEY);
    Optional<Source> value = source(record.headers(), VALUE);
    return key.or(() -> value).isPresent()
        ? new ReceivedRecord<>(record, record.key(), record.value(), record.headers(), key, value)
        : record;
  }

  private static Optional<Source> source(Headers headers, String name) {
    if (headers.lastHeader(name) instanceof Source source) {
      headers.remove(name);
      return Optional.of(source);
    }
    return Optional.empty();
  }

  /** Returns what makes the key or the value of a record for another call. */
  @SuppressWarnings("unchecked") // a clone of a byte array is one
  private <T> Optional<Supplier<T>> part(
      String topic,
      Optional<Source> source,
      T read,
      Function<RecordReader<K, V>, GuardedDeserializer<T>> deserializer) {
    if (read instanceof byte[] bytes) {
      byte[] kept = bytes.clone();
      return Optional.of(() -> (T) kept.clone());
    } else if (Unchangeable.is(read)) {
      return Optional.of(() -> read);
    }
    return source
        .filter(it -> it.read() == read)
        .map(it -> () -> deserializer.apply(reader()).again(topic, it));
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
