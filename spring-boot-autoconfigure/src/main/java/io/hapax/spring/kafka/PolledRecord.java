package io.hapax.spring.kafka;

import io.hapax.errors.RejectedMessageException;
import io.hapax.kafka.internal.GuardedDeserializer;
import io.hapax.kafka.internal.ReceivedPart;
import io.hapax.kafka.internal.ReceivedRecord;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.core.log.LogAccessor;
import org.springframework.kafka.support.serializer.DeserializationException;
import org.springframework.kafka.support.serializer.SerializationUtils;

/** Reads what a record's deserializers were given, and their errors. */
final class PolledRecord {

  private static final LogAccessor LOG = new LogAccessor(PolledRecord.class);

  private PolledRecord() {}

  static Optional<byte[]> valueBytes(ConsumerRecord<?, ?> record) {
    return bytes(record, ReceivedRecord.value(record), record.value(), "value");
  }

  static Optional<byte[]> keyBytes(ConsumerRecord<?, ?> record) {
    return bytes(record, ReceivedRecord.key(record), record.key(), "key");
  }

  private static Optional<byte[]> bytes(
      ConsumerRecord<?, ?> record,
      Optional<ReceivedPart> kept,
      @Nullable Object read,
      String part) {
    if (read == null) {
      return failure(record, part.equals("key")).map(DeserializationException::getData);
    } else if (read instanceof byte[] bytes) {
      return Optional.of(bytes);
    } else if (kept.isPresent() && isLossy(read)) {
      return kept.map(ReceivedPart::bytes);
    } else if (read instanceof String text) {
      return Optional.of(text.getBytes(StandardCharsets.UTF_8));
    }
    throw notAvailable(part, read);
  }

  private static boolean isLossy(Object read) {
    return read instanceof String text
        ? GuardedDeserializer.isLossy(text)
        : !(read instanceof byte[]);
  }

  /** A deserializer object of the application keeps no bytes: then only some types show them. */
  private static byte @Nullable [] received(
      ConsumerRecord<?, ?> record,
      Optional<ReceivedPart> kept,
      @Nullable Object read,
      String part) {
    if (kept.isEmpty() && read != null && isLossy(read)) {
      throw notAvailable(part, read);
    }
    return kept.map(ReceivedPart::bytes)
        .or(() -> bytes(record, kept, read, part))
        .orElse(null);
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
    Header found = record.headers().lastHeader(header);
    if (found == null || found.getClass() == RecordHeader.class) { // a producer may have sent it
      return Optional.empty();
    }
    return Optional.ofNullable(SerializationUtils.getExceptionFromHeader(record, header, LOG))
        .or(() -> Optional.of(unknown(record, isKey)));
  }

  /** Returns the failure of a deserializer whose own error cannot be deserialized. */
  private static DeserializationException unknown(ConsumerRecord<?, ?> record, boolean isKey) {
    byte[] received = (isKey ? ReceivedRecord.key(record) : ReceivedRecord.value(record))
        .map(ReceivedPart::bytes)
        .orElseGet(() -> new byte[0]);
    return new DeserializationException(
        "the error of the deserializer cannot be read (the log says why)", received, isKey, null);
  }

  static void requireReadable(ConsumerRecord<?, ?> record) {
    failure(record).ifPresent(error -> {
      throw new RejectedMessageException("the record cannot be deserialized", error);
    });
  }

  /** Returns why the key or the value could not be deserialized. A producer's header is none. */
  static Optional<DeserializationException> failure(ConsumerRecord<?, ?> record) {
    return failure(record, false).or(() -> failure(record, true));
  }

  /** Returns a copy without what Hapax added, whose headers the application may change. */
  static ConsumerRecord<Object, Object> plain(ConsumerRecord<Object, Object> record) {
    Headers headers = new RecordHeaders(ReceivedPart.without(record.headers()));
    return copy(record, record.key(), record.value(), headers);
  }

  /** Returns the record as the broker stores it. Its bytes must be available. */
  static ConsumerRecord<byte[], byte[]> raw(ConsumerRecord<?, ?> record) {
    Headers headers = ReceivedRecord.headers(record)
        .remove(SerializationUtils.KEY_DESERIALIZER_EXCEPTION_HEADER)
        .remove(SerializationUtils.VALUE_DESERIALIZER_EXCEPTION_HEADER);
    return copy(
        record,
        received(record, ReceivedRecord.key(record), record.key(), "key"),
        received(record, ReceivedRecord.value(record), record.value(), "value"),
        headers);
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
