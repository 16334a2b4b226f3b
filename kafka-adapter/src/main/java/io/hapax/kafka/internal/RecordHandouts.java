package io.hapax.kafka.internal;

import io.hapax.adapter.Handout;
import io.hapax.adapter.KeptMessage;
import io.hapax.adapter.Unchangeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Later calls of a handler get records that are read from kept bytes. Without kept bytes, only
 * texts, numbers and byte arrays can be given again.
 */
public final class RecordHandouts<K, V> implements AutoCloseable {

  private final Part<K> keys;
  private final Part<V> values;

  /** Whether a record could be given once only. Belongs to the poll thread. */
  private boolean mayBeSpent;

  /** Of a consumer whose deserializers keep bytes. The suppliers make those for later calls. */
  public RecordHandouts(
      Supplier<GuardedDeserializer<K>> keys, Supplier<GuardedDeserializer<V>> values) {
    this.keys = new Part<>(keys);
    this.values = new Part<>(values);
  }

  public static <K, V> RecordHandouts<K, V> keeping(Map<String, Object> properties) {
    return new RecordHandouts<>(
        () -> GuardedDeserializer.of(properties, "", true),
        () -> GuardedDeserializer.of(properties, "", false));
  }

  /** Of a share consumer, which gets bytes. Makes the deserializers at once, or throws. */
  public static <K, V> RecordHandouts<K, V> ofBytes(Map<String, Object> properties) {
    RecordHandouts<K, V> handouts = keeping(properties);
    var unused = List.of(handouts.keys.deserializer(), handouts.values.deserializer());
    return handouts;
  }

  public static <K, V> RecordHandouts<K, V> ofOthers() {
    return keeping(Map.of()); // without kept bytes it needs no deserializer
  }

  public static <K, V> Consumer<K, V> consumer(Map<String, Object> properties) {
    return new KafkaConsumer<>(
        properties,
        GuardedDeserializer.<K>of(properties, "", true).keepingHidden(),
        GuardedDeserializer.<V>of(properties, "", false).keepingHidden());
  }

  public boolean mayBeSpent() {
    return mayBeSpent;
  }

  /** Returns the handout of a record that no handler has got. The first call gets the record. */
  public Handout<ConsumerRecord<K, V>> of(ConsumerRecord<K, V> record) {
    ConsumerRecord<K, V> received = ReceivedRecord.of(record);
    Optional<Supplier<ConsumerRecord<K, V>>> again = again(received);
    if (again.isEmpty()) {
      mayBeSpent = true;
      return Handout.of(received);
    }
    return new KeptMessage<>(received) {
      @Override
      protected ConsumerRecord<K, V> readAgain() {
        return again.get().get();
      }
    };
  }

  /**
   * Kafka's client would release a shared record that it cannot deserialize, and so use up its
   * deliveries. Throws what a deserializer threw.
   */
  public Handout<ConsumerRecord<K, V>> ofRaw(ConsumerRecord<byte[], byte[]> raw) {
    Header[] headers = raw.headers().toArray();
    return new KeptMessage<>(read(raw, headers)) {
      @Override
      protected ConsumerRecord<K, V> readAgain() {
        return read(raw, headers);
      }
    };
  }

  private synchronized ConsumerRecord<K, V> read(
      ConsumerRecord<byte[], byte[]> raw, Header[] received) {
    Headers headers = new RecordHeaders(received);
    return new ReceivedRecord<>(
        raw,
        received,
        keys.read(raw.topic(), headers, raw.key()),
        values.read(raw.topic(), headers, raw.value()),
        headers);
  }

  /** For a record that its caller uses afterwards, so that no handler may change it. */
  public Handout<ConsumerRecord<K, V>> ofCopies(ConsumerRecord<K, V> received) {
    return again(received)
        .map(again -> Handout.copied(received, it -> again.get()))
        .orElseGet(() -> Handout.always(received));
  }

  private Optional<Supplier<ConsumerRecord<K, V>>> again(ConsumerRecord<K, V> received) {
    Optional<ReceivedPart> receivedKey = ReceivedRecord.key(received);
    Optional<ReceivedPart> receivedValue = ReceivedRecord.value(received);
    Optional<Supplier<K>> key = keys.again(received.topic(), receivedKey, received.key());
    Optional<Supplier<V>> value = values.again(received.topic(), receivedValue, received.value());
    if (key.isEmpty() || value.isEmpty()) {
      return Optional.empty();
    }
    Header[] headers = received.headers().toArray(); // their arrays are not copied
    return Optional.of(() -> {
      synchronized (this) { // deserializers are made for one thread
        return new ReceivedRecord<>(
            received,
            key.get().get(),
            value.get().get(),
            new RecordHeaders(headers),
            receivedKey,
            receivedValue);
      }
    });
  }

  @Override
  public synchronized void close() {
    keys.close();
    values.close();
  }

  private static final class Part<T> {

    private final Supplier<GuardedDeserializer<T>> deserializers;
    private @Nullable GuardedDeserializer<T> deserializer;

    Part(Supplier<GuardedDeserializer<T>> deserializers) {
      this.deserializers = deserializers;
    }

    @SuppressWarnings("unchecked") // a clone of a byte array is one
    Optional<Supplier<T>> again(String topic, Optional<ReceivedPart> received, T read) {
      if (read instanceof byte[] bytes) {
        byte[] kept = bytes.clone();
        return Optional.of(() -> (T) kept.clone());
      } else if (Unchangeable.is(read)) {
        return Optional.of(() -> read);
      }
      return received.filter(it -> it.isOf(read)).map(it -> () -> deserializer().again(topic, it));
    }

    @Nullable
    T read(String topic, Headers headers, byte @Nullable [] bytes) {
      // The deserializer or the handler may change the array.
      return bytes == null ? null : deserializer().deserialize(topic, headers, bytes.clone());
    }

    private GuardedDeserializer<T> deserializer() {
      GuardedDeserializer<T> known = deserializer == null ? deserializers.get() : deserializer;
      deserializer = known;
      return known;
    }

    void close() {
      if (deserializer != null) {
        deserializer.close();
      }
    }
  }
}
