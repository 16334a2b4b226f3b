package io.hapax.spring.kafka;

import io.hapax.errors.RejectedMessageException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.kafka.support.serializer.SerializationUtils;

/**
 * A record as the poll returns it: with the bytes that {@link KeptBytesDeserializer} left in its
 * headers, and with the errors of its deserializers.
 */
final class PolledRecord {

  static final String KEY_BYTES = "hapax-received-key";
  static final String VALUE_BYTES = "hapax-received-value";

  private static final LogAccessor LOG = new LogAccessor(PolledRecord.class);

  private PolledRecord() {}

  /** Returns the bytes of the value; empty for a record without one. */
  static Optional<byte[]> valueBytes(ConsumerRecord<?, ?> record) {
    return bytes(record, VALUE_BYTES, record.value(), "value");
  }

  /** Returns the bytes of the key; empty for a record without one. */
  static Optional<byte[]> keyBytes(ConsumerRecord<?, ?> record) {
    return bytes(record, KEY_BYTES, record.key(), "key");
  }

  private static Optional<byte[]> bytes(
      ConsumerRecord<?, ?> record, String header, @Nullable Object read, String part) {
    if (read == null) {
      return failure(record, part.equals("key")).map(DeserializationException::getData);
    } else if (read instanceof byte[] bytes) {
      return Optional.of(bytes);
    }
    Optional<KeptBytes> kept = kept(record, header);
    if (kept.isPresent() && KeptBytesDeserializer.isLossy(read)) {
      return kept.map(KeptBytes::bytes);
    } else if (read instanceof String text) {
      return Optional.of(text.getBytes(StandardCharsets.UTF_8));
    }
    throw notAvailable(part, read);
  }

  /** Returns what was received of the key or the value; a producer cannot forge it. */
  static Optional<KeptBytes> kept(ConsumerRecord<?, ?> record, String header) {
    return record.headers().lastHeader(header) instanceof KeptBytes kept
        ? Optional.of(kept)
        : Optional.empty();
  }

  /**
   * Returns the bytes that were received, whatever the deserializer made of them. A deserializer
   * object of the application's consumer factory keeps none: then only bytes, and texts without a
   * replacement character, show what they were read from.
   */
  private static byte @Nullable [] received(
      ConsumerRecord<?, ?> record, String header, @Nullable Object read, String part) {
    Optional<KeptBytes> kept = kept(record, header);
    if (kept.isPresent()) {
      return kept.get().bytes();
    } else if (read != null && !(read instanceof byte[]) && KeptBytesDeserializer.isLossy(read)) {
      throw notAvailable(part, read);
    }
    return bytes(record, header, read, part).orElse(null);
  }

  private static IllegalStateException notAvailable(String part, Object read) {
    return new IllegalStateException("the bytes of the " + part + " are not available, only an"
        + " object of " + read.getClass().getName()
        + ": configure the deserializer by the property "
        + part + ".deserializer, not as an object of the consumer factory");
  }

  private static Optional<DeserializationException> failure(
      ConsumerRecord<?, ?> record, boolean isKey) {
    String header = isKey
        ? SerializationUtils.KEY_DESERIALIZER_EXCEPTION_HEADER
        : SerializationUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER;
    return record.headers().lastHeader(header) == null
        ? Optional.empty()
        : Optional.ofNullable(SerializationUtils.getExceptionFromHeader(record, header, LOG));
  }

  /** Rejects a record whose key or value could not be deserialized, with that error. */
  static void requireReadable(ConsumerRecord<?, ?> record) {
    failure(record, false).or(() -> failure(record, true)).ifPresent(error -> {
      throw new RejectedMessageException("the record cannot be deserialized", error);
    });
  }

  /** Returns a copy without what Hapax added; the same record if nothing was added. */
  static ConsumerRecord<Object, Object> plain(ConsumerRecord<Object, Object> record) {
    if (record.headers().lastHeader(VALUE_BYTES) == null
        && record.headers().lastHeader(KEY_BYTES) == null) {
      return record;
    }
    return copy(record, record.key(), record.value(), withoutKept(record.headers()));
  }

  /** Returns the record as the broker stores it. Its bytes must be available. */
  static ConsumerRecord<byte[], byte[]> raw(ConsumerRecord<?, ?> record) {
    Headers headers = withoutKept(receivedHeaders(record))
        .remove(SerializationUtils.KEY_DESERIALIZER_EXCEPTION_HEADER)
        .remove(SerializationUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER);
    return copy(
        record,
        received(record, KEY_BYTES, record.key(), "key"),
        received(record, VALUE_BYTES, record.value(), "value"),
        headers);
  }

  /** Returns the headers before deserializers changed them; the key is deserialized first. */
  private static Headers receivedHeaders(ConsumerRecord<?, ?> record) {
    return kept(record, KEY_BYTES)
        .or(() -> kept(record, VALUE_BYTES))
        .<Headers>map(kept -> new RecordHeaders(kept.headers()))
        .orElse(record.headers());
  }

  private static Headers withoutKept(Headers headers) {
    Headers copy = new RecordHeaders(headers.toArray());
    removeKept(copy);
    return copy;
  }

  static void removeKept(Headers headers) {
    headers.remove(VALUE_BYTES).remove(KEY_BYTES);
  }

  @SuppressWarnings("NullAway") // a record may have no key and no value
  static <K, V> ConsumerRecord<K, V> copy(
      ConsumerRecord<?, ?> record, @Nullable K key, @Nullable V value, Headers headers) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        key,
        value,
        headers,
        record.leaderEpoch());
  }
}
