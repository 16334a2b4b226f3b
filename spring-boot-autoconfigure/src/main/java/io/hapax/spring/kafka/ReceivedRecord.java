package io.hapax.spring.kafka;

import io.hapax.errors.RejectedMessageException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
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
final class ReceivedRecord {

  static final String KEY_BYTES = "hapax-received-key";
  static final String VALUE_BYTES = "hapax-received-value";

  private static final LogAccessor LOG = new LogAccessor(ReceivedRecord.class);

  private ReceivedRecord() {}

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
    Header kept = record.headers().lastHeader(header);
    if (kept != null && KeptBytesDeserializer.isLossy(read)) {
      return Optional.of(kept.value());
    } else if (read instanceof String text) {
      return Optional.of(text.getBytes(StandardCharsets.UTF_8));
    }
    throw new IllegalStateException("the bytes of the " + part
        + " are not available, only an object of " + read.getClass().getName());
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

  /**
   * Rejects a record whose key or value could not be deserialized.
   *
   * @throws RejectedMessageException with the deserializer's error
   */
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

  /** Returns the record as the broker stores it. */
  static ConsumerRecord<byte[], byte[]> raw(ConsumerRecord<?, ?> record) {
    Headers headers = withoutKept(record.headers())
        .remove(SerializationUtils.KEY_DESERIALIZER_EXCEPTION_HEADER)
        .remove(SerializationUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER);
    return copy(record, keyBytes(record).orElse(null), valueBytes(record).orElse(null), headers);
  }

  private static Headers withoutKept(Headers headers) {
    Headers copy = new RecordHeaders(headers.toArray());
    removeKept(copy);
    return copy;
  }

  /** Removes what Hapax added. */
  static void removeKept(Headers headers) {
    headers.remove(VALUE_BYTES).remove(KEY_BYTES);
  }

  @SuppressWarnings("NullAway") // a record may have no key and no value
  private static <K, V> ConsumerRecord<K, V> copy(
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
