package io.hapax.kafka;

import io.hapax.kafka.GuardedDeserializer.Source;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A deserialized record with what was received, for its dead letter. A deserializer may decrypt, or
 * read another encoding than the serializer writes.
 */
final class ReceivedRecord<K, V> extends ConsumerRecord<K, V> {

  private final Optional<Source> receivedKey;
  private final Optional<Source> receivedValue;

  /** Makes a record of any consumer. The sources of key and value are empty if these show them. */
  @SuppressWarnings("NullAway") // a record may have no key and no value
  ReceivedRecord(
      ConsumerRecord<?, ?> place,
      @Nullable K key,
      @Nullable V value,
      Headers headers,
      Optional<Source> receivedKey,
      Optional<Source> receivedValue) {
    super(
        place.topic(),
        place.partition(),
        place.offset(),
        place.timestamp(),
        place.timestampType(),
        place.serializedKeySize(),
        place.serializedValueSize(),
        key,
        value,
        headers,
        place.leaderEpoch());
    this.receivedKey = receivedKey;
    this.receivedValue = receivedValue;
  }

  @SuppressWarnings("NullAway") // a record may have no key and no value
  ReceivedRecord(
      ConsumerRecord<byte[], byte[]> raw,
      Header[] received,
      @Nullable K key,
      @Nullable V value,
      Headers headers) {
    super(
        raw.topic(),
        raw.partition(),
        raw.offset(),
        raw.timestamp(),
        raw.timestampType(),
        raw.serializedKeySize(),
        raw.serializedValueSize(),
        key,
        value,
        headers,
        raw.leaderEpoch(),
        raw.deliveryCount());
    this.receivedKey = source(raw.key(), received, key);
    this.receivedValue = source(raw.value(), received, value);
  }

  private static Optional<Source> source(
      byte @Nullable [] bytes, Header[] headers, @Nullable Object read) {
    return bytes == null ? Optional.empty() : Optional.of(new Source("", bytes, headers, read));
  }

  /** Returns what a record's key was read from, if that is known. */
  static Optional<Source> keySource(ConsumerRecord<?, ?> record) {
    return record instanceof ReceivedRecord<?, ?> known ? known.receivedKey : Optional.empty();
  }

  /** Returns what a record's value was read from, if that is known. */
  static Optional<Source> valueSource(ConsumerRecord<?, ?> record) {
    return record instanceof ReceivedRecord<?, ?> known ? known.receivedValue : Optional.empty();
  }

  /** Returns the bytes of a record's key that were received, if they are known. */
  static Optional<byte[]> key(ConsumerRecord<?, ?> record) {
    return keySource(record).map(Source::value);
  }

  /** Returns the bytes of a record's value that were received, if they are known. */
  static Optional<byte[]> value(ConsumerRecord<?, ?> record) {
    return valueSource(record).map(Source::value);
  }

  /** Returns a copy of the headers, as they were before a deserializer changed them. */
  static Headers headers(ConsumerRecord<?, ?> record) {
    return new RecordHeaders(keySource(record)
        .or(() -> valueSource(record))
        .map(Source::headers)
        .orElseGet(() -> record.headers().toArray()));
  }
}
