package io.hapax.spring.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Has its own deserializers, so that an operation does not disturb the listener. */
final class StoredRecords implements AutoCloseable {

  private final Deserializer<?> keys;
  private final Deserializer<?> values;
  private @Nullable ConsumerRecord<byte[], byte[]> latest;
  private @Nullable ConsumerRecord<Object, Object> latestRead;

  StoredRecords(ConsumerOverrides consumers) {
    this.keys = consumers.deserializer(true);
    try {
      this.values = consumers.deserializer(false);
    } catch (RuntimeException | Error e) {
      ConsumerOverrides.close(keys);
      throw e;
    }
  }

  /** Returns a copy of a record as the listener gets it: deserializers may change the headers. */
  ConsumerRecord<Object, Object> read(ConsumerRecord<byte[], byte[]> record) {
    ConsumerRecord<Object, Object> known = latestRead;
    if (known != null && record == latest) {
      return known; // id and fingerprint of a record are read one after the other
    }
    Headers headers = new RecordHeaders(record.headers().toArray());
    ConsumerRecord<Object, Object> read = PolledRecord.copy(
        record,
        keys.deserialize(record.topic(), headers, record.key()),
        values.deserialize(record.topic(), headers, record.value()),
        headers);
    latest = record;
    latestRead = read;
    return read;
  }

  @Override
  public void close() {
    ConsumerOverrides.close(keys);
    ConsumerOverrides.close(values);
  }
}
