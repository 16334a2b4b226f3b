package io.hapax.spring.kafka;

import io.hapax.adapter.Handout;
import io.hapax.adapter.KeptMessage;
import io.hapax.adapter.Unchangeable;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Gives records to the listener of a container. Each later call of the listener gets a record that
 * is deserialized again from the received bytes. A deserializer object of the application's
 * consumer factory keeps no bytes: then only texts, numbers and byte arrays can be given again.
 */
final class ListenerRecordHandouts implements AutoCloseable {

  private final ConsumerOverrides consumers;
  private @Nullable Deserializer<?> keys;
  private @Nullable Deserializer<?> values;

  ListenerRecordHandouts(ConsumerOverrides consumers) {
    this.consumers = consumers;
  }

  /** Returns the handout of a record that was polled. The first call gets the record itself. */
  Handout<ConsumerRecord<Object, Object>> of(ConsumerRecord<Object, Object> record) {
    return again(record)
        .<Handout<ConsumerRecord<Object, Object>>>map(again -> new KeptMessage<>(record) {
          @Override
          protected ConsumerRecord<Object, Object> readAgain() {
            return again.get();
          }
        })
        .orElseGet(() -> Handout.of(record));
  }

  /**
   * Returns the handout of a record of a retry topic. The listener never gets the record itself,
   * because Spring sends that one to the next topic.
   */
  Handout<ConsumerRecord<Object, Object>> ofRetried(ConsumerRecord<Object, Object> record) {
    return again(record)
        .map(again -> Handout.copied(record, it -> again.get()))
        .orElseGet(() -> Handout.always(record));
  }

  private Optional<Supplier<ConsumerRecord<Object, Object>>> again(
      ConsumerRecord<Object, Object> record) {
    Optional<Supplier<@Nullable Object>> key =
        part(record, PolledRecord.KEY_BYTES, record.key(), this::keyDeserializer);
    Optional<Supplier<@Nullable Object>> value =
        part(record, PolledRecord.VALUE_BYTES, record.value(), this::valueDeserializer);
    if (key.isEmpty() || value.isEmpty()) {
      return Optional.empty();
    }
    Header[] headers = record.headers().toArray();
    return Optional.of(() -> {
      synchronized (this) { // deserializers are made for one thread
        return PolledRecord.copy(
            record, key.get().get(), value.get().get(), new RecordHeaders(headers));
      }
    });
  }

  /** Returns what makes the key or the value of a record for another call. */
  private static Optional<Supplier<@Nullable Object>> part(
      ConsumerRecord<?, ?> record,
      String header,
      @Nullable Object read,
      Supplier<Deserializer<?>> deserializers) {
    if (Unchangeable.is(read)) {
      return Optional.of(() -> read);
    }
    Optional<KeptBytes> kept = PolledRecord.kept(record, header).filter(it -> it.isOf(read));
    if (kept.isPresent()) {
      return Optional.of(() -> read(deserializers.get(), record.topic(), kept.get()));
    }
    if (read instanceof byte[] bytes) {
      byte[] received = bytes.clone();
      return Optional.of(received::clone);
    }
    return Optional.empty();
  }

  /** Throws what the deserializer throws; it leaves no error in the headers of the record. */
  private static @Nullable Object read(
      Deserializer<?> deserializer, String topic, KeptBytes received) {
    Headers headers = new RecordHeaders(received.headers());
    return deserializer instanceof KeptBytesDeserializer ours
        ? ours.again(topic, headers, received.bytes())
        : deserializer.deserialize(topic, headers, received.bytes());
  }

  private Deserializer<?> keyDeserializer() {
    Deserializer<?> known = keys == null ? consumers.keyDeserializer() : keys;
    keys = known;
    return known;
  }

  private Deserializer<?> valueDeserializer() {
    Deserializer<?> known = values == null ? consumers.valueDeserializer() : values;
    values = known;
    return known;
  }

  /** Closes the deserializers that were made here, and not those of the application. */
  @Override
  public synchronized void close() {
    KeptBytesDeserializer.closeOwn(keys);
    KeptBytesDeserializer.closeOwn(values);
  }
}
