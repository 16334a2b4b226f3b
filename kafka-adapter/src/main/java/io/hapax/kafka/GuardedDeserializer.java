package io.hapax.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.ShortDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns an {@link Error} of a deserializer into an exception. The client names the record of an
 * exception, so that only its partition stops. An error ends the poll thread, and then that of each
 * member that gets the partition next: one deeply nested record would end the whole group.
 *
 * <p>For a consumer it also keeps the bytes that an object was read from, in a header that
 * {@link RecordHandouts} removes after the poll: a handler can change the object, or the object
 * does not show them. Kafka's own deserializers of texts, numbers and byte arrays need no header,
 * so that their bytes are not kept.
 */
final class GuardedDeserializer<T> implements Deserializer<T> {

  /**
   * What an object is read from again, with the headers as they were before the deserializer
   * changed them. No producer can send a header of this class.
   */
  @SuppressWarnings("ArrayRecordComponent") // a header is an array, and none is compared
  record Source(
      String key, byte[] value, Header[] headers, @Nullable Object read) implements Header {}

  private static final Logger LOG = LoggerFactory.getLogger(GuardedDeserializer.class);

  /** Keeps no bytes. */
  static final String NO_HEADER = "";

  private static final Set<Class<?>> FAITHFUL = Set.of(
      ByteArrayDeserializer.class,
      LongDeserializer.class,
      IntegerDeserializer.class,
      ShortDeserializer.class);

  /** A text deserializer writes it in place of bytes that are no text. */
  private static final char REPLACEMENT = '\ufffd';

  private static final String E_ACUTE = "\u00e9";
  private static final byte[] UTF_8 = E_ACUTE.getBytes(StandardCharsets.UTF_8);

  private final Deserializer<T> deserializer;
  private final String header;

  /** Whether texts, numbers and byte arrays show what they were read from. */
  private final boolean faithful;

  GuardedDeserializer(Deserializer<T> deserializer, String header) {
    this.deserializer = deserializer;
    this.header = header;
    this.faithful = isFaithful(deserializer);
  }

  /**
   * Makes the deserializer that the properties name, and configures it as the client would.
   *
   * @param header the name of the header that keeps the bytes, or {@link #NO_HEADER}
   * @throws KafkaException if there is none, or it cannot be made
   */
  @SuppressWarnings("unchecked") // only the properties name the type
  static <T> GuardedDeserializer<T> of(
      Map<String, Object> properties, boolean isKey, String header) {
    String property = isKey
        ? ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG
        : ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG;
    Object given = properties.get(property);
    if (given == null) {
      throw new KafkaException(property + " is not set but a deserializer is required");
    }
    try {
      Class<?> type = (Class<?>) ConfigDef.parseType(property, given, ConfigDef.Type.CLASS);
      Deserializer<T> deserializer =
          (Deserializer<T>) type.getDeclaredConstructor().newInstance();
      deserializer.configure(properties, isKey);
      return new GuardedDeserializer<>(deserializer, header);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new KafkaException(
          property + " is " + given + " but must name a deserializer with a constructor without"
              + " arguments",
          e);
    }
  }

  /**
   * Returns whether a serializer of the same kind writes the bytes that texts, numbers and byte
   * arrays were read from. A text with a replacement character does not show them.
   */
  private static boolean isFaithful(Deserializer<?> deserializer) {
    Class<?> type = deserializer.getClass(); // a subclass may decrypt
    return FAITHFUL.contains(type)
        || (type == StringDeserializer.class
            && E_ACUTE.equals(deserializer.deserialize("", UTF_8)));
  }

  private static <T> T guarded(Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) { // a deserializer in another language may throw any
      throw new SerializationException(
          "the deserializer failed with " + e.getClass().getName(), e);
    }
  }

  @Override
  public T deserialize(String topic, byte[] data) {
    return guarded(() -> deserializer.deserialize(topic, data));
  }

  @Override
  @SuppressWarnings("NullAway") // deserializers take null for a missing value
  public T deserialize(String topic, Headers headers, byte[] data) {
    if (data == null || header.isEmpty()) {
      return read(topic, headers, data);
    }
    if (faithful) {
      T read = read(topic, headers, data);
      if (read instanceof String text && text.indexOf(REPLACEMENT) >= 0) {
        headers.add(new Source(header, data, received(headers), read));
      }
      return read;
    }
    Header[] before = received(headers);
    byte[] bytes = data.clone(); // the deserializer may change the array, as one that decrypts
    T read = read(topic, headers, data);
    headers.add(new Source(header, bytes, before, read));
    return read;
  }

  private T read(String topic, Headers headers, byte[] data) {
    return guarded(() -> deserializer.deserialize(topic, headers, data));
  }

  /** Returns the headers without those of this class. */
  private static Header[] received(Headers headers) {
    Header[] all = headers.toArray();
    int last = all.length - 1;
    return last >= 0 && all[last] instanceof Source ? Arrays.copyOf(all, last) : all;
  }

  /** Reads an object again. It may use the array: it gets a copy. */
  T again(String topic, Source source) {
    return read(topic, new RecordHeaders(source.headers()), source.value().clone());
  }

  /** Does not throw: what a receiver closes after it must be closed, too. */
  @Override
  public void close() {
    try {
      deserializer.close();
    } catch (Throwable e) { // see guarded
      LOG.error("A deserializer did not close well", e);
    }
  }
}
