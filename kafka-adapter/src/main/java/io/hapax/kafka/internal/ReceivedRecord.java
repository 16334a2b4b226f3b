package io.hapax.kafka.internal;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** A deserializer may decrypt, or read another encoding than the serializer writes. */
public final class ReceivedRecord<K, V> extends ConsumerRecord<K, V> {

  private final Optional<ReceivedPart> receivedKey;
  private final Optional<ReceivedPart> receivedValue;

  /** Makes a record of any consumer. What was received is empty if key and value show it. */
  @SuppressWarnings("NullAway") // a record may have no key and no value
  ReceivedRecord(
      ConsumerRecord<?, ?> place,
      @Nullable K key,
      @Nullable V value,
      Headers headers,
      Optional<ReceivedPart> receivedKey,
      Optional<ReceivedPart> receivedValue) {
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
    this.receivedKey = part(true, raw.key(), received, key);
    this.receivedValue = part(false, raw.value(), received, value);
  }

  private static Optional<ReceivedPart> part(
      boolean isKey, byte @Nullable [] bytes, Header[] headers, @Nullable Object read) {
    return Optional.ofNullable(bytes).map(it -> new ReceivedPart(isKey, it, headers, read));
  }

  /** Returns a polled record with what was received, and removes the headers that kept it. */
  public static <K, V> ConsumerRecord<K, V> of(ConsumerRecord<K, V> polled) {
    Optional<ReceivedPart> key = key(polled);
    Optional<ReceivedPart> value = value(polled);
    if (key.or(() -> value).isEmpty() || polled instanceof ReceivedRecord) {
      return polled;
    }
    polled.headers().remove(ReceivedPart.KEY).remove(ReceivedPart.VALUE);
    return new ReceivedRecord<>(polled, polled.key(), polled.value(), polled.headers(), key, value);
  }

  public static Optional<ReceivedPart> key(ConsumerRecord<?, ?> record) {
    return record instanceof ReceivedRecord<?, ?> known
        ? known.receivedKey
        : kept(record, ReceivedPart.KEY);
  }

  public static Optional<ReceivedPart> value(ConsumerRecord<?, ?> record) {
    return record instanceof ReceivedRecord<?, ?> known
        ? known.receivedValue
        : kept(record, ReceivedPart.VALUE);
  }

  private static Optional<ReceivedPart> kept(ConsumerRecord<?, ?> polled, String name) {
    return polled.headers().lastHeader(name) instanceof ReceivedPart part
        ? Optional.of(part)
        : Optional.empty();
  }

  /** Returns a copy of the headers, as they were before a deserializer changed them. */
  public static Headers headers(ConsumerRecord<?, ?> record) {
    return key(record)
        .or(() -> value(record))
        .map(ReceivedPart::headers)
        .orElseGet(() -> new RecordHeaders(record.headers().toArray()));
  }
}
