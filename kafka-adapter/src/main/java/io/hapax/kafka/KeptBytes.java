package io.hapax.kafka;

import io.hapax.adapter.Unchangeable;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the bytes of an object that a handler can change, in a header that {@link RecordHandouts}
 * removes after the poll. They are the bytes that Kafka's client copied for the deserializer.
 * Texts, numbers and byte arrays need no header, so that their bytes are not copied here.
 */
final class KeptBytes<T> implements Deserializer<T> {

  /**
   * What an object is read from again. No producer can send a header of this class.
   *
   * @param key the name of the header
   * @param value the bytes
   * @param headers those of the record before the deserializer changed them
   */
  @SuppressWarnings("ArrayRecordComponent") // a header is an array, and none is compared
  record Source(String key, byte[] value, Header[] headers) implements Header {}

  private final Deserializer<T> deserializer;
  private final String name;

  /** Whether an object needed its bytes. */
  private boolean needed;

  /** Whether an object needed none. */
  private boolean notNeeded;

  KeptBytes(Deserializer<T> deserializer, String name) {
    this.deserializer = deserializer;
    this.name = name;
  }

  @Override
  public T deserialize(String topic, byte[] data) {
    return deserializer.deserialize(topic, data);
  }

  @Override
  public T deserialize(String topic, Headers headers, byte[] data) {
    Header[] before = headers.toArray();
    T read = deserializer.deserialize(topic, headers, data);
    if (needsBytes(read)) {
      headers.add(new Source(name, sharesBytes(read) ? data.clone() : data, before));
    }
    return read;
  }

  @Override
  public T deserialize(String topic, Headers headers, ByteBuffer data) {
    if (data == null || (notNeeded && !needed)) {
      return withoutCopy(topic, headers, data);
    }
    return deserialize(topic, headers, Utils.toArray(data));
  }

  /** Reads a record of a topic whose records needed no bytes so far. */
  @SuppressWarnings("NullAway") // deserializers take null for a missing value
  private T withoutCopy(String topic, Headers headers, @Nullable ByteBuffer data) {
    ByteBuffer again = data == null ? null : data.duplicate();
    T read = deserializer.deserialize(topic, headers, data);
    if (again != null && needsBytes(read)) {
      headers.add(new Source(name, Utils.toArray(again), headers.toArray()));
    }
    return read;
  }

  private boolean needsBytes(@Nullable T read) {
    boolean needs = !Unchangeable.is(read) && !(read instanceof byte[]);
    needed |= needs;
    notNeeded |= !needs && read != null;
    return needs;
  }

  private static boolean sharesBytes(@Nullable Object read) {
    return read instanceof ByteBuffer || read instanceof Bytes;
  }

  @Override
  public void close() {
    deserializer.close();
  }
}
