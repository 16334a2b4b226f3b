package io.hapax.kafka;

import java.util.Arrays;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the bytes that an object was read from, in a header that {@link RecordHandouts} removes
 * after the poll: a handler can change the object, or the object does not show them. Kafka's own
 * deserializers of texts, numbers and byte arrays need no header, so that their bytes are not kept.
 */
final class KeptBytes<T> implements Deserializer<T> {

  /**
   * What an object is read from again, with the headers as they were before the deserializer
   * changed them. No producer can send a header of this class.
   */
  @SuppressWarnings("ArrayRecordComponent") // a header is an array, and none is compared
  record Source(
      String key, byte[] value, Header[] headers, @Nullable Object read) implements Header {}

  /** A text deserializer writes it in place of bytes that are no text. */
  private static final char REPLACEMENT = '\ufffd';

  private final Deserializer<T> deserializer;
  private final String name;

  /** Whether texts, numbers and byte arrays show what they were read from. */
  private final boolean faithful;

  KeptBytes(GuardedDeserializer<T> deserializer, String name) {
    this.deserializer = deserializer;
    this.name = name;
    this.faithful = deserializer.isFaithful();
  }

  @Override
  public T deserialize(String topic, byte[] data) {
    return deserializer.deserialize(topic, data);
  }

  @Override
  @SuppressWarnings("NullAway") // deserializers take null for a missing value
  public T deserialize(String topic, Headers headers, byte[] data) {
    if (data == null) {
      return deserializer.deserialize(topic, headers, data);
    }
    if (faithful) {
      T read = deserializer.deserialize(topic, headers, data);
      if (read instanceof String text && text.indexOf(REPLACEMENT) >= 0) {
        headers.add(new Source(name, data, received(headers), read));
      }
      return read;
    }
    Header[] before = received(headers);
    byte[] bytes = data.clone(); // the deserializer may change the array, as one that decrypts
    T read = deserializer.deserialize(topic, headers, data);
    headers.add(new Source(name, bytes, before, read));
    return read;
  }

  /** Returns the headers without those of this class. */
  private static Header[] received(Headers headers) {
    Header[] all = headers.toArray();
    int last = all.length - 1;
    return last >= 0 && all[last] instanceof Source ? Arrays.copyOf(all, last) : all;
  }

  @Override
  public void close() {
    deserializer.close();
  }
}
